// Short messages: read aloud by screen readers, one at a time, gone by themselves and with the phase they belong to.

const LONG_ENOUGH_MS = 5200; // two short sentences at a child's reading pace
const GAP_PX = 8;

let shown = null; // the message on the screen, and the phase that it belongs to

export function toast(text, kind = "note") {
  const note = document.createElement("p");
  note.className = `toast ${kind}`;
  note.textContent = text;
  document.getElementById("toasts").replaceChildren(note);
  keepClear();
  shown = { note, phase: null };
  setTimeout(() => note.remove(), LONG_ENOUGH_MS);
}

// Where nothing is tapped: on the table over the strip of players, so that "Undo" stays in sight; elsewhere over the bar.
// The banner that the connection is lost is never covered.
export function keepClear() {
  const above = document.querySelector(".table-screen .bar") ?? document.getElementById("offline");
  document.getElementById("toasts").style.top = `${Math.max(GAP_PX, above.getBoundingClientRect().bottom)}px`;
}

// A message is said as the answer comes, and the screen shows the game after it a moment later: that phase is its own.
export function dropOutdated(app) {
  const phase = app?.querySelector(".panel-play")?.dataset.key ?? "";
  if (!shown) return;
  if (shown.phase !== null && shown.phase !== phase) shown.note.remove();
  shown.phase ??= phase;
}
