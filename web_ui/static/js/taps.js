// Taps go up one at a time. Each has an id, so that one sent twice over bad Wi-Fi acts once, and is kept
// until it was answered, also over a reload: a tap is never lost silently and never doubled.

import { t } from "./words.js";
import { toast } from "./toast.js";

const KEPT = "moth-tap";
const RETRY_MS = 1200;
const PATIENCE_MS = 6000;
const COMES_BACK = [502, 503, 504]; // a full disk, a server that starts: any other answer stays as it is, and ends the tap

let waiting = null; // the tap that has no answer yet
let sending = false;
let retry = 0;
const listeners = { answered: [], offline: [] };

class ServerTrouble extends Error {}

export const on = (what, act) => listeners[what].push(act);
// Whether one of those who listen has said it to the player.
const tell = (what, ...values) => listeners[what].map((act) => act(...values)).includes(true);

export function newId() {
  return [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const busy = () => waiting !== null;

export function send(url, body, { quiet = false } = {}) {
  if (waiting) {
    // a double tap: the first one counts; another tap is not lost in silence
    if (waiting.url !== url || waiting.body.move !== body.move) toast(t("Your last tap is still on its way."));
    return Promise.resolve(null);
  }
  waiting = { url, body: { ...body, tap: newId() }, quiet, role: document.getElementById("app").dataset.role ?? "" };
  try { sessionStorage.setItem(KEPT, JSON.stringify(waiting)); } catch { /* private mode: kept in memory only */ }
  return attempt();
}

export function resume() {
  try { waiting ??= JSON.parse(sessionStorage.getItem(KEPT)); } catch { /* nothing kept */ }
  if (waiting) attempt();
}

async function attempt() {
  if (!waiting || sending) return null;
  sending = true;
  const tap = waiting;
  let answer = null;
  try {
    const response = await fetch(tap.url, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Role": tap.role },
      body: JSON.stringify(tap.body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer = { status: response.status, ...(await response.json().catch(() => ({}))) };
    if (COMES_BACK.includes(answer.status)) throw new ServerTrouble(answer.sentence);
  } catch (error) {
    sending = false;
    tell("offline", { sentence: error instanceof ServerTrouble ? error.message : "" });
    clearTimeout(retry);
    retry = setTimeout(attempt, RETRY_MS);
    return null;
  }
  sending = false;
  waiting = null;
  try { sessionStorage.removeItem(KEPT); } catch { /* private mode */ }
  tell("offline", null);
  if (tell("answered", answer, tap.body.move)) return answer;
  if (answer.status === 409) toast(answer.sentence || t("Somebody was faster. Look again."), "faster");
  else if (answer.status === 429) toast(t("That was a lot of taps. Wait a moment."), "wrong");
  else if (answer.status >= 400) toast(answer.sentence || t("That did not work. Try again."), "wrong");
  else if (answer.sentence && !tap.quiet) toast(answer.sentence, "good");
  return answer;
}
