// The order of the slaps: the camera's proposal is put right by arrows or by dragging, then confirmed.

import * as taps from "./taps.js";
import { toast } from "./toast.js";

export function wireSlaps() {
  let dragged = null;
  document.addEventListener("click", (event) => {
    const list = document.querySelector("[data-slaps]");
    if (!list) return;
    const row = event.target.closest("[data-slaps] > li");
    const button = event.target.closest("[data-up], [data-down]");
    if (row && button) {
      if (button.matches("[data-up]") && row.previousElementSibling) row.previousElementSibling.before(row);
      else if (button.matches("[data-down]") && row.nextElementSibling) row.nextElementSibling.after(row);
      button.focus();
    } else if (event.target.closest("[data-slaps-send]")) {
      const order = [...list.children].map((one) => one.dataset.seat).join(" ");
      const last = list.lastElementChild.dataset.say;
      taps.send("/moves", { move: `slaps ${order}`, then: "gifts all", seq: Number(document.getElementById("app").dataset.seq) })
        .then((answer) => answer?.status === 200 && toast(last, "good"));
    }
  });
  document.addEventListener("dragstart", (event) => {
    dragged = event.target.closest?.("[data-slaps] > li") ?? null;
  });
  document.addEventListener("dragover", (event) => {
    const row = event.target.closest?.("[data-slaps] > li");
    if (!dragged || !row || row === dragged) return;
    event.preventDefault();
    const box = row.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) row.before(dragged);
    else row.after(dragged);
  });
  document.addEventListener("dragend", () => { dragged = null; });
  dragByFinger();
}

// HTML drag and drop knows no fingers: pointer events do the same for touch, on the row but not its buttons.
function dragByFinger() {
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" || event.target.closest("button")) return;
    held = event.target.closest("[data-slaps] > li");
    held?.classList.add("held");
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const row = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-slaps] > li");
    if (!row || row === held) return;
    const box = row.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) row.before(held);
    else row.after(held);
  });
  const drop = () => {
    held?.classList.remove("held");
    held = null;
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
}
