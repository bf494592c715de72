// "Caught!" freezes the table at once, before it is chosen whom; closing the sheet without a choice lets play go on.
// Not sent as a tap: the choice must never wait for it on a bad line.

import { busy, newId } from "./taps.js";
import { refresh } from "./live.js";

export function wireChoosing() {
  document.addEventListener("click", (event) => event.target.closest("[data-open=caught]") && tell("/caught"));
  document.addEventListener("close", (event) => {
    if (event.target.id === "caught" && !busy()) tell("/caught/back");
  }, true); // a close does not bubble
}

function tell(address) {
  const headers = { "Content-Type": "application/json", "X-Role": document.getElementById("app").dataset.role ?? "" };
  fetch(address, { method: "POST", headers, body: JSON.stringify({ tap: newId() }), keepalive: true })
    .then(refresh)
    .catch(() => { /* no line: the choice itself is kept and sent, and freezes the table then */ });
}
