// Keep a playing screen lit. Browsers allow it over HTTPS and on the same machine only; elsewhere say so once.

import { t } from "./words.js";
import { toast } from "./toast.js";

const SAID = "moth-awake";

const READ_MS = 2000;

let lock = null;
let said = false;

export async function stayAwake(app) {
  if (!app?.hasAttribute("data-awake")) return;
  const hint = document.getElementById("awake-hint");
  if (!("wakeLock" in navigator)) {
    if (hint) hint.hidden = false;
    sayOnce();
    return;
  }
  if (lock && !lock.released) return;
  try { lock = await navigator.wakeLock.request("screen"); } catch { /* asked again at the next change */ }
}

// A page that is replaced at once (a seat was just taken) has said it to nobody: the next one says it.
function sayOnce() {
  if (said) return;
  try { if (sessionStorage.getItem(SAID)) return; } catch { return; }
  said = true;
  setTimeout(() => { try { sessionStorage.setItem(SAID, "1"); } catch { /* then it is said again */ } }, READ_MS);
  toast(t("This screen may go dark by itself. The menu says what helps."), "note", { ofPhase: false });
}
