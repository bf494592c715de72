// The screen follows the game: the stream says that something changed, the screen fetches itself anew and
// changes only what is different. While the line is down a banner says so; afterwards all is as it should be.

import { morph } from "./morph.js";
import { keepClear } from "./toast.js";
import { t } from "./words.js";
import * as taps from "./taps.js";

const QUIET_TOO_LONG_MS = 24000; // the server says something every 10 s
const RETRY_MS = 1000;

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
  taps.on("offline", (trouble) => trouble && offline(trouble.sentence));
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
  stream.addEventListener("beat", () => { heardAt = Date.now(); online(); });
  stream.addEventListener("version", (event) => {
    heardAt = Date.now();
    online();
    if (String(JSON.parse(event.data).version) !== app().dataset.version) refresh();
  });
  stream.onerror = () => offline();
}

function watch() {
  if (Date.now() - heardAt > QUIET_TOO_LONG_MS) {
    offline();
    wake();
  }
}

function wake() {
  heardAt = Date.now();
  listen();
  refresh();
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
    const response = await fetch(app().dataset.live, { headers: { "X-Part": "app" } });
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
    if (hadFocus && hadFocus !== document.body && !hadFocus.isConnected) document.getElementById("screen")?.focus({ preventScroll: true });
    afterwards.forEach((act) => act(app()));
    online();
    clearTimeout(retry);
  } catch {
    offline();
    clearTimeout(retry);
    retry = setTimeout(refresh, RETRY_MS);
  }
}

function offline(sentence = "") {
  const banner = document.getElementById("offline");
  banner.hidden = false;
  banner.textContent = sentence || (taps.busy()
    ? t("No connection. Your tap is kept and sent as soon as it is back.")
    : t("No connection. This screen comes back by itself."));
  keepClear();
  if (stream?.readyState === EventSource.CLOSED) setTimeout(() => stream.readyState === EventSource.CLOSED && listen(), RETRY_MS);
}

function online() {
  document.getElementById("offline").hidden = true;
  keepClear();
}
