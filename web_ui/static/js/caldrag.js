// Dragging by finger, pen or mouse: corners with a magnifier, the whole outline, seats and piles.

import { cardParts, outlineParts } from "./caldraw.js";

const ZOOM = 3.2;
const TAP_PX = 6;

export function watchDrags(screen, { place, placeCard, move, shape }) {
  const stage = document.querySelector("[data-stage]");
  const drawing = document.querySelector("[data-drawing]");
  const loupe = document.querySelector("[data-loupe]");
  const picture = document.querySelector("[data-picture]");
  let drag = null;

  function at(event) {
    const matrix = drawing.getScreenCTM();
    if (!matrix) return [0, 0];
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  function nearest(point, outline) {
    const off = outline.map(([x, y]) => Math.hypot(x - point[0], y - point[1]));
    return off.indexOf(Math.min(...off));
  }

  function start(event) {
    const { draft } = screen.state;
    if (!draft || screen.lens || !["table", "seats", "hands", "check"].includes(screen.step) || !drawing.viewBox.baseVal?.width) return;
    const grabbed = event.target.closest("[data-grab]")?.dataset.grab ?? "";
    const [kind, which] = grabbed.split(" ");
    const from = at(event);
    if (screen.step === "table" && screen.card) {
      // while a card is measured, every tap is one of its corners
      const k = kind === "corner" ? Number(which) : nearest(from, screen.card);
      drag = { kind: "corner", of: "card", k, from, outline: screen.card.map((p) => [...p]), start: screen.card };
    } else if (screen.step === "table") {
      const corner = kind === "corner" ? Number(which) : null;
      // the middle of the outline drags it all; a tap anywhere else is where the nearest corner goes
      const whole = corner === null && kind === "outline";
      const k = corner ?? nearest(from, draft.outline);
      drag = { kind: whole ? "outline" : "corner", k, from, tapped: k, outline: draft.outline.map((p) => [...p]), start: draft.outline };
      if (!whole && corner === null) drag.outline[k] = from;
    } else if (kind === "move" && screen.step !== "hands") {
      drag = { kind: "move", which, from, node: event.target.closest("[data-grab]") };
    } else return;
    event.preventDefault();
    try { stage.setPointerCapture(event.pointerId); } catch { /* a test's pointer */ }
    drawing.classList.add("dragging");
    drag.client = [event.clientX, event.clientY];
    follow(event);
  }

  function follow(event) {
    if (!drag) return;
    const now = at(event);
    const by = [now[0] - drag.from[0], now[1] - drag.from[1]];
    if (Math.hypot(event.clientX - drag.client[0], event.clientY - drag.client[1]) > TAP_PX) drag.moved = true;
    if (drag.kind === "move") {
      drag.to = now;
      drag.node.setAttribute("transform", `translate(${by[0]} ${by[1]})`);
      return;
    }
    if (drag.kind === "corner") {
      const base = drag.start[drag.k];
      const onHandle = Math.hypot(base[0] - drag.from[0], base[1] - drag.from[1]) < 30 * unit();
      drag.outline[drag.k] = onHandle ? [base[0] + by[0], base[1] + by[1]] : now;
      magnify(drag.outline[drag.k], event);
    } else if (drag.moved) drag.outline = drag.start.map(([x, y]) => [x + by[0], y + by[1]]);
    if (drag.of === "card") drawing.replaceChildren(...outlineParts(shape(), screen.state.draft.outline, unit(), false), ...cardParts(drag.outline, unit()));
    else drawing.replaceChildren(...outlineParts(shape(), drag.outline, unit(), true));
  }

  function unit() {
    return drawing.viewBox.baseVal.width / Math.max(drawing.clientWidth, 200);
  }

  function end(event) {
    if (!drag) return;
    const done = drag;
    drag = null;
    loupe.hidden = true;
    drawing.classList.remove("dragging");
    if (done.kind === "move") {
      if (done.moved) move(done.which, done.to.map((v) => Math.round(v * 10) / 10));
      else done.node.removeAttribute("transform");
      return;
    }
    if (done.of === "card") { placeCard(done.outline); return; }
    // a tap inside the outline sets the nearest corner, as a tap outside it does
    if (done.kind === "outline" && !done.moved) done.outline[done.tapped] = at(event);
    place(done.outline, shape());
  }

  function magnify([x, y], event) {
    if (!picture.naturalWidth) return;
    const box = stage.getBoundingClientRect();
    const left = event.clientX > box.left + box.width / 2;
    loupe.hidden = false;
    loupe.classList.toggle("at-left", left);
    loupe.classList.toggle("at-right", !left);
    const pen = loupe.getContext("2d");
    const { width } = loupe;
    const seen = (width / ZOOM) * unit();
    const share = picture.naturalWidth / drawing.viewBox.baseVal.width;
    pen.fillStyle = "#0d0818";
    pen.fillRect(0, 0, width, width);
    pen.imageSmoothingEnabled = false;
    pen.drawImage(picture, (x - seen / 2) * share, (y - seen / 2) * share, seen * share, seen * share, 0, 0, width, width);
    pen.strokeStyle = "#ffc64a";
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(width / 2, 0); pen.lineTo(width / 2, width * 0.44); pen.moveTo(width / 2, width * 0.56); pen.lineTo(width / 2, width);
    pen.moveTo(0, width / 2); pen.lineTo(width * 0.44, width / 2); pen.moveTo(width * 0.56, width / 2); pen.lineTo(width, width / 2);
    pen.stroke();
  }

  stage.addEventListener("pointerdown", start);
  stage.addEventListener("pointermove", follow);
  stage.addEventListener("pointerup", end);
  stage.addEventListener("pointercancel", end);
}
