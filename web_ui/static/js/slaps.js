// The order of the slaps: the camera's proposal is put right by arrows or by dragging, then confirmed.
// Once it was put right, the names above confirm that order too.

import * as taps from "./taps.js";
import { toast } from "./toast.js";

const list = () => document.querySelector("[data-slaps]");
const row = (event) => event.target.closest?.("[data-slaps] > li");
const order = () => [...list().children].map((one) => one.dataset.seat);

export function wireSlaps() {
  document.addEventListener("click", (event) => {
    const slowest = event.target.closest("[data-slowest]");
    if (slowest && list()?.dataset.local) rank(slowest);
  }, true); // before the tap is sent
  document.addEventListener("click", (event) => {
    if (!list()) return;
    const button = event.target.closest("[data-up], [data-down]");
    if (button && row(event)) nudge(row(event), button);
    else if (event.target.closest("[data-slaps-send]")) send();
  });
  document.addEventListener("keydown", (event) => {
    const button = event.target.closest?.("[data-up], [data-down]");
    if (!button || !row(event) || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    nudge(row(event), row(event).querySelector(event.key === "ArrowUp" ? "[data-up]" : "[data-down]"));
  });
  drag();
}

// The mark on the names follows the order that was put right, also after the screen was fetched anew.
export function markSlowest() {
  if (!list()?.dataset.local) return;
  const last = order().at(-1);
  document.querySelectorAll("[data-slowest]").forEach((button) => {
    button.classList.remove("maybe");
    button.classList.toggle("proposed", button.dataset.slowest === last);
  });
}

function rank(button) {
  const others = order().filter((seat) => seat !== button.dataset.slowest);
  button.dataset.move = ["slaps", ...others, button.dataset.slowest].join(" ");
}

function nudge(moved, button) {
  if (button.matches("[data-up]") && moved.previousElementSibling) moved.previousElementSibling.before(moved);
  else if (button.matches("[data-down]") && moved.nextElementSibling) moved.nextElementSibling.after(moved);
  else return;
  touched();
  button.focus();
}

function touched() {
  list().dataset.local = "1";
  markSlowest();
}

function send() {
  const say = list().lastElementChild.dataset.say;
  const seq = Number(document.getElementById("app").dataset.seq);
  taps.send("/moves", { move: `slaps ${order().join(" ")}`, then: "gifts all", seq })
    .then((answer) => answer?.status === 200 && toast(say, "good", { seq: answer.seq }));
}

// Pointer events, the same for mouse and finger; HTML drag and drop knows no fingers.
function drag() {
  let held = null;
  document.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.target.closest("button")) return;
    held = row(event) ?? null;
    held?.classList.add("held");
  });
  document.addEventListener("pointermove", (event) => {
    if (!held) return;
    const other = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-slaps] > li");
    if (!other || other === held) return;
    const box = other.getBoundingClientRect();
    if (event.clientY < box.top + box.height / 2) other.before(held);
    else other.after(held);
    touched();
  });
  const drop = () => {
    held?.classList.remove("held");
    held = null;
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
}
