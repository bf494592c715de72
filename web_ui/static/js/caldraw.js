// What is drawn over the camera's picture at each step. Coordinates are the picture's pixels.

import { curve } from "./homography.js";

const SVG = "http://www.w3.org/2000/svg";
const FINGERS = [[0, 1, 2, 3, 4], [0, 5, 6, 7, 8], [5, 9, 10, 11, 12], [9, 13, 14, 15, 16], [13, 17, 18, 19, 20], [0, 17]];

function make(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const path = (points, closed = true) => `M${points.map((p) => p.join(" ")).join("L")}${closed ? "Z" : ""}`;

export function draw({ step, state, lens, card, unsure }) {
  const drawing = document.querySelector("[data-drawing]");
  if (drawing.classList.contains("dragging")) return;
  const size = state.picture?.size ?? state.draft?.image_size;
  if (!size) { drawing.replaceChildren(); return; }
  drawing.setAttribute("viewBox", `0 0 ${size[0]} ${size[1]}`);
  // one unit of what a finger or an eye needs, in the picture's pixels
  const unit = size[0] / Math.max(drawing.clientWidth, 200);
  const parts = [];
  drawing.classList.toggle("unsure", Boolean(unsure));
  if (lens) parts.push(...cells(lens.cells, size));
  else if (state.draft && card && step === "table") parts.push(...outlineParts(state.draft.shape, state.draft.outline, unit, false), ...cardParts(card, unit));
  else if (state.draft && step !== "camera") parts.push(...table(state.draft, step, unit));
  drawing.replaceChildren(...parts);
}

export function outlineParts(shape, outline, unit, handles) {
  const parts = [make("path", { class: `d-outline ${handles ? "grab" : ""}`, d: path(curve(shape, outline)), "data-grab": handles ? "outline" : "" })];
  if (!handles) return parts;
  if (shape === "rectangle" || shape === "square") parts.push(make("path", { class: "d-near", d: path(outline.slice(0, 2), false) }));
  outline.forEach(([x, y], k) => {
    parts.push(make("circle", { class: "d-reach", cx: x, cy: y, r: 26 * unit, "data-grab": `corner ${k}` }));
    parts.push(make("circle", { class: "d-handle", cx: x, cy: y, r: 10 * unit, "data-grab": `corner ${k}` }));
  });
  return parts;
}

export function cardParts(corners, unit) {
  return [
    make("path", { class: "d-card", d: path(corners) }),
    ...corners.flatMap(([x, y], k) => [
      make("circle", { class: "d-reach", cx: x, cy: y, r: 22 * unit, "data-grab": `corner ${k}` }),
      make("circle", { class: "d-handle small", cx: x, cy: y, r: 5 * unit, "data-grab": `corner ${k}` }),
    ]),
  ];
}

function table(draft, step, unit) {
  const parts = outlineParts(draft.shape, draft.outline, unit, step === "table");
  if (step === "table" || !draft.seats) return parts;
  if (step === "check") parts.push(...crops(draft));
  if (step === "hands" || step === "check") parts.push(...draft.hands.flatMap((one) => hand(one, unit)));
  // small where the hands below them are what counts
  const size = step === "seats" ? unit : unit * 0.6;
  parts.push(...piles(draft, size), ...seats(draft, size));
  return parts;
}

function crops({ seats, pile_crop: pile }) {
  const box = ([x0, y0, x1, y1], kind) => make("rect", { class: `d-crop ${kind}`, x: x0, y: y0, width: x1 - x0, height: y1 - y0, rx: 8 });
  return [...seats.map((seat) => box(seat.crop, `s${seat.seat}`)), box(pile, "s4")];
}

function seats(draft, unit) {
  return draft.seats.filter((seat) => seat.px).map((seat) => {
    const radius = 21 * unit;
    const bad = draft.verdict.seats.includes(seat.seat) ? "bad" : "";
    const label = make("text", { x: seat.px[0], y: seat.px[1], "font-size": 24 * unit });
    label.style.fontSize = `${24 * unit}px`;
    label.textContent = seat.seat + 1;
    return make("g", { class: `d-seat s${seat.seat} ${bad}`, "data-grab": `move ${seat.seat}` }, make("circle", { cx: seat.px[0], cy: seat.px[1], r: radius }), label);
  });
}

function piles(draft, unit) {
  return ["draw", "discard"].filter((pile) => draft[pile]).map((pile) => {
    const [x, y] = draft[pile];
    return make("g", { class: `d-pile ${pile}`, "data-grab": `move ${pile}` }, make("rect", { x: x - 13 * unit, y: y - 17 * unit, width: 26 * unit, height: 34 * unit, rx: 4 * unit }));
  });
}

function hand({ seat, side, landmarks_px: at }, unit) {
  const label = make("text", { class: "d-side", x: at[0][0], y: at[0][1] });
  label.style.fontSize = `${13 * unit}px`;
  label.textContent = document.querySelector(`[data-word="${side}"]`)?.textContent ?? "";
  return [make("path", { class: `d-hand s${seat}`, d: FINGERS.map((finger) => path(finger.map((k) => at[k]), false)).join("") }), label];
}

function cells(rows, [width, height]) {
  return rows.flatMap((row, y) => row.map((count, x) => make("rect", {
    class: `d-cell ${count ? "" : "empty"}`,
    x: (x * width) / row.length, y: (y * height) / rows.length, width: width / row.length, height: height / rows.length,
  })));
}
