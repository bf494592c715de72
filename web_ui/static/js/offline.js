// The banner that says what is amiss with the connection. The stream, the screen's own fetching and taps each say their
// trouble and take it back; the banner goes when none of them has any. So a stream that lives does not hide that taps fail.

import { keepClear } from "./toast.js";

const troubles = new Map(); // who says it -> its sentence

export function trouble(who, sentence) {
  if (troubles.get(who) === sentence) return;
  troubles.set(who, sentence);
  show();
}

export function well(who) {
  if (troubles.delete(who)) show();
}

// A tap that is kept is what the player must know first.
function show() {
  const banner = document.getElementById("offline");
  const sentence = troubles.get("tap") ?? [...troubles.values()].at(-1) ?? "";
  banner.hidden = !sentence;
  if (banner.textContent !== sentence) banner.textContent = sentence;
  document.documentElement.style.setProperty("--banner", `${banner.offsetHeight}px`);
  keepClear();
}
