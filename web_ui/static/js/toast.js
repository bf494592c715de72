// Short messages: read aloud by screen readers, one at a time, gone by themselves and with the phase they belong to.

const LONG_ENOUGH_MS = 5200; // two short sentences at a child's reading pace
const GAP_PX = 8;
const STEP_PX = 6;
const TAPPED = "button, a, input, label, summary, video, select";
const TOLD = ".giving, .giver, .camera-says, .trouble, .remarks, [data-picture]"; // what the message is about, or was just told
const READ = "h1, h2, .card.huge, .player, output";
const WEIGHT_OF_TAPPED = 1000; // what is tapped is never covered for the sake of what is read
const WEIGHT_OF_TOLD = 30; // nor what was just told for what has been there all along

let shown = null; // the message on the screen, the move that it came with, and the phase that it belongs to

const box = () => document.getElementById("toasts");

export function toast(text, kind = "note", { ofPhase = true, seq = 0 } = {}) {
  const note = document.createElement("p");
  note.className = `toast ${kind}`;
  note.textContent = text;
  // An open sheet lies over everything else, and what is outside of it is not read aloud.
  (document.querySelector("dialog[open]") ?? document.body).append(box());
  box().replaceChildren(note);
  keepClear();
  shown = ofPhase ? { note, seq, phase: null } : null;
  setTimeout(() => note.remove(), LONG_ENOUGH_MS);
}

// A message lies where it covers nothing that is tapped, on a page that was scrolled too; and as little as can be of what
// is read across the table. The banner that the connection is lost is never covered.
export function keepClear() {
  const note = box().querySelector(".toast");
  if (!note) return;
  const first = Math.max(GAP_PX, document.getElementById("offline").getBoundingClientRect().bottom + GAP_PX);
  const { width, height, left } = size(note);
  const taps = boxes(TAPPED), told = boxes(TOLD), texts = boxes(READ);
  let best = { top: first, cost: Infinity };
  for (let top = first; top + height + GAP_PX <= innerHeight; top += STEP_PX) {
    const spot = { left, right: left + width, top, bottom: top + height };
    const cost = WEIGHT_OF_TAPPED * covered(spot, taps) + WEIGHT_OF_TOLD * covered(spot, told) + covered(spot, texts) + top;
    if (cost < best.cost) best = { top, cost };
  }
  box().style.top = `${best.top}px`;
}

function size(note) {
  const { offsetWidth: width, offsetHeight: height } = note;
  return { width, height, left: note.getBoundingClientRect().left };
}

function boxes(what) {
  const within = document.querySelector("dialog[open]") ?? document.getElementById("app");
  return [...within.querySelectorAll(what)].filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect())
    .filter((one) => one.bottom > 0 && one.top < innerHeight);
}

const covered = (spot, those) => those.reduce((sum, one) => sum
  + Math.max(0, Math.min(spot.right, one.right) - Math.max(spot.left, one.left))
  * Math.max(0, Math.min(spot.bottom, one.bottom) - Math.max(spot.top, one.top)), 0);

// A message is said as the answer comes, and the screen shows the game after it a moment later: that phase is its own. A tap
// that says two moves may show the game between them first, which is neither.
export function dropOutdated(app) {
  const phase = app?.querySelector(".panel-play")?.dataset.key ?? "";
  if (!shown || Number(app?.dataset.seq ?? 0) < shown.seq) return;
  if (shown.phase !== null && shown.phase !== phase) shown.note.remove();
  shown.phase ??= phase;
}

addEventListener("scroll", () => requestAnimationFrame(keepClear), { passive: true, capture: true });
addEventListener("resize", () => requestAnimationFrame(keepClear));
document.addEventListener("close", (event) => event.target.contains(box()) && document.body.append(box()), true);
