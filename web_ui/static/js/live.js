// The screen follows the game: the stream says that something changed, the screen fetches itself anew and
// changes only what is different. While the line is down a banner says so; afterwards all is as it should be.

import { morph } from "./morph.js";
import { trouble, well } from "./offline.js";
import { keepClear } from "./toast.js";
import { t } from "./words.js";
import * as taps from "./taps.js";

const QUIET_TOO_LONG_MS = 24000; // the server says something every 10 s
const RETRY_MS = 1000;
const PATIENCE_MS = 10000; // a fetch that hangs in a dead Wi-Fi is given up and made anew

const app = () => document.getElementById("app");
const afterwards = [];
let stream = null;
let heardAt = Date.now();
let fetching = null;
let again = false;
let retry = 0;

export const onChange = (act) => afterwards.push(act);

export function start() {
  taps.on("answered", () => refresh());
  taps.on("offline", tapTrouble);
  if (app()?.dataset.live) {
    listen();
    setInterval(watch, 2000);
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && wake());
    addEventListener("online", wake);
    addEventListener("pageshow", (event) => event.persisted && wake());
  }
  afterwards.forEach((act) => act(app()));
  taps.resume();
}

function listen() {
  stream?.close();
  stream = new EventSource(`/stream?after=${app().dataset.version ?? 0}&as=${app().dataset.role ?? ""}`);
  stream.onopen = () => { heardAt = Date.now(); };
  stream.addEventListener("beat", heard);
  stream.addEventListener("version", (event) => {
    heard();
    if (String(JSON.parse(event.data).version) !== app().dataset.version) refresh();
  });
  stream.onerror = silent;
}

function heard() {
  heardAt = Date.now();
  well("stream");
}

function silent() {
  trouble("stream", t("No connection. This screen comes back by itself."));
  if (stream?.readyState === EventSource.CLOSED) setTimeout(() => stream.readyState === EventSource.CLOSED && listen(), RETRY_MS);
}

function tapTrouble(found) {
  if (found) trouble("tap", found.sentence || t("No connection. Your tap is kept and sent as soon as it is back."));
  else well("tap");
}

function watch() {
  if (Date.now() - heardAt > QUIET_TOO_LONG_MS) {
    silent();
    wake();
  }
}

function wake() {
  heardAt = Date.now();
  listen();
  refresh();
  taps.resume(); // the line may be back: a kept tap goes now, not when its time is up
}

export async function refresh() {
  if (!app()?.dataset.live) return;
  if (fetching) {
    again = true;
    return fetching;
  }
  fetching = fetchSelf();
  await fetching;
  fetching = null;
  if (again) {
    again = false;
    await refresh();
  }
}

async function fetchSelf() {
  try {
    const response = await fetch(app().dataset.live, { headers: { "X-Part": "app" }, signal: AbortSignal.timeout(PATIENCE_MS) });
    const go = response.headers.get("X-Go");
    if (go) {
      location.assign(go);
      return;
    }
    if (!response.ok) throw new Error(`status ${response.status}`);
    const fresh = new DOMParser().parseFromString(await response.text(), "text/html").getElementById("app");
    if (!fresh) throw new Error("no screen in the answer");
    const hadFocus = document.activeElement;
    morph(app(), fresh);
    keepClear();
    if (hadFocus && hadFocus !== document.body && !hadFocus.isConnected) document.getElementById("screen")?.focus({ preventScroll: true });
    afterwards.forEach((act) => act(app()));
    well("screen");
    clearTimeout(retry);
  } catch {
    trouble("screen", t("No connection. This screen comes back by itself."));
    clearTimeout(retry);
    retry = setTimeout(refresh, RETRY_MS);
  }
}
