// The pictures around each contact side by side: each steps by itself, all step together; the arrow keys do too.

import { t } from "./words.js";

const pictures = new Map(); // address: the picture, loaded

export function wireStrips() {
  document.addEventListener("click", (event) => {
    const strips = event.target.closest("[data-strips]");
    if (!strips) return;
    const button = event.target.closest("button");
    if (!button && event.target.closest(".strip-picture")) enlarge(strips);
    if (!button) return;
    const { stripBy, allBy, allLanded, allSame, allLarge } = button.dataset;
    if (stripBy) step(strips, button.closest("[data-strip]"), Number(stripBy));
    else if (allBy) all(strips).forEach((one) => step(strips, one, Number(allBy)));
    else if (allLanded !== undefined) all(strips).forEach((one) => show(strips, one, Number(one.dataset.landed)));
    else if (allSame !== undefined) sameMoment(strips);
    else if (allLarge !== undefined) enlarge(strips);
  });
  document.addEventListener("keydown", (event) => {
    const strips = event.target.closest?.("[data-strips]");
    if (!strips || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    const by = event.key === "ArrowLeft" ? -1 : 1;
    const one = event.target.closest("[data-strip]");
    if (one && !event.shiftKey) step(strips, one, by);
    else all(strips).forEach((each) => step(strips, each, by));
  });
}

// Strips that came with a change of the screen show their first picture once it is loaded.
export function fillStrips() {
  document.querySelectorAll("[data-strips]:not([data-filled])").forEach((strips) => {
    strips.dataset.filled = "";
    all(strips).forEach((one) => show(strips, one, Number(one.dataset.at)));
  });
}

const all = (strips) => [...strips.querySelectorAll("[data-strip]")];
const times = (strips) => strips.dataset.times.split(" ").map(Number);
const address = (strips, at) => `/slaps/${at}.jpg${strips.dataset.query}`; // names its clip: another has other pictures
const step = (strips, one, by) => show(strips, one, Number(one.dataset.at) + by);

const enlarge = (strips) => strips.querySelector("[data-all-large]").setAttribute("aria-pressed", strips.classList.toggle("large"));

// All at the instant at which the last but one lands: who is there already, and who is not?
function sameMoment(strips) {
  const landed = all(strips).map((one) => Number(one.dataset.landed)).sort((a, b) => a - b);
  all(strips).forEach((one) => show(strips, one, landed.at(-2) ?? landed[0]));
}

async function show(strips, one, wanted) {
  const at = Math.min(times(strips).length - 1, Math.max(0, wanted));
  one.dataset.at = at;
  tellWhen(one, times(strips)[at] - times(strips)[Number(one.dataset.landed)]);
  const picture = await load(address(strips, at));
  if (!picture || Number(one.dataset.at) !== at) return; // stepped on meanwhile
  const svg = one.querySelector(".strip-picture");
  const image = svg.querySelector("image");
  image.setAttribute("width", picture.naturalWidth);
  image.setAttribute("height", picture.naturalHeight);
  if (!svg.getAttribute("viewBox")) svg.setAttribute("viewBox", `0 0 ${picture.naturalWidth} ${picture.naturalHeight}`);
  image.setAttribute("href", picture.src);
  [at - 1, at + 1].filter((next) => next >= 0 && next < times(strips).length).forEach((next) => load(address(strips, next)));
}

function tellWhen(one, ms) {
  const output = one.querySelector(".strip-at");
  output.classList.toggle("landed", ms === 0);
  if (ms === 0) output.textContent = one.closest("[data-strips]").dataset.when;
  else output.textContent = ms < 0 ? t("{ms} ms before", { ms: -ms }) : t("{ms} ms after", { ms });
}

async function load(from) {
  if (pictures.has(from)) return pictures.get(from);
  const picture = new Image();
  picture.src = from;
  try {
    await picture.decode();
  } catch {
    return null;
  }
  pictures.set(from, picture);
  return picture;
}
