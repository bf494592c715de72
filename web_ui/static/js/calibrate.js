// The camera's set-up. The server holds the draft; this shows it over the live picture and sends what is dragged.

import { curve } from "./homography.js";
import { draw } from "./caldraw.js";
import { watchDrags } from "./caldrag.js";
import { toast } from "./toast.js";

const $ = (what) => document.querySelector(`[data-${what}]`);
const word = (name) => $(`word="${name}"`).textContent;
const STEPS = ["camera", "table", "seats", "hands", "check"];
const PATIENCE_MS = 60000;
const STATE_EVERY_MS = 1500;
const INCH_CM = 2.54;

export const screen = { step: "camera", state: { draft: null, cameras: [] }, lens: null, card: null, unsure: false };
let resolution = [1280, 720];
let busy = false;

async function call(route, body = {}) {
  busy = true;
  document.body.toggleAttribute("aria-busy", true);
  try {
    const answer = await fetch(`/camera/${route}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Role": "table" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const said = await answer.json();
    if (!answer.ok) { toast(said.sentence || word("failed"), "wrong"); return null; }
    show(said);
    return said;
  } catch {
    toast(word("failed"), "wrong");
    return null;
  } finally {
    busy = false;
    document.body.removeAttribute("aria-busy");
  }
}

function show(state) {
  screen.state = state;
  showCameras(state);
  showSaved(state);
  showPicture(state);
  const { draft } = state;
  $("playing").hidden = !state.playing;
  showCardSize(state.card_mm);
  $("needs-camera").hidden = !state.source;
  for (const lamp of document.querySelectorAll(".lamp")) {
    const at = STEPS.indexOf(lamp.dataset.step);
    lamp.disabled = (at >= 1 && !state.source) || (at >= 2 && !draft);
    lamp.classList.toggle("lit", at < STEPS.indexOf(screen.step));
    if (lamp.dataset.step === screen.step) lamp.setAttribute("aria-current", "step");
    else lamp.removeAttribute("aria-current");
  }
  if (draft) showDraft(draft);
  draw(screen);
}

function showPicture({ source, picture, trouble }) {
  const said = $("picture-said");
  said.hidden = !picture && !trouble;
  said.textContent = trouble || picture?.sentence || "";
  said.classList.toggle("poor", Boolean(trouble) || picture?.good === false);
  $("stage").classList.toggle("waiting", Boolean(trouble));
  if (source && !picture && !trouble) $("empty-words").textContent = word("opening");
  if (trouble) $("empty-words").textContent = trouble;
  if (picture) $("stage").style.aspectRatio = `${picture.size[0]} / ${picture.size[1]}`;
}

function showCameras({ cameras, source }) {
  const place = $("cameras");
  $("no-cameras").hidden = cameras.length > 0;
  const known = [...place.children].map((card) => card.dataset.source).join("|");
  if (known !== cameras.map((camera) => camera.source).join("|")) {
    place.replaceChildren(...cameras.map(cameraCard));
    shoot([...place.children]);
  }
  for (const card of place.children) card.classList.toggle("chosen", card.dataset.source === source);
}

function cameraCard(camera) {
  const card = $("camera-card").content.firstElementChild.cloneNode(true);
  card.dataset.source = camera.source;
  card.querySelector("b").textContent = camera.name;
  card.addEventListener("click", () => look(camera.source));
  return card;
}

async function shoot(cards) {
  for (const card of cards) {
    if (screen.step !== "camera") return;
    const answer = await fetch(`/camera/thumbnail.jpg?as=table&source=${encodeURIComponent(card.dataset.source)}`).catch(() => null);
    if (answer?.status !== 200) continue;
    card.querySelector("img").src = URL.createObjectURL(await answer.blob());
    card.querySelector(".camera-shot").classList.add("shown");
  }
}

function showSaved({ saved_layouts: saved, source }) {
  const mine = saved.filter((one) => one.source === source);
  $("saved").hidden = !source || mine.length === 0;
  $("saved-list").replaceChildren(...mine.map((one) => {
    const card = $("saved-card").content.firstElementChild.cloneNode(true);
    card.querySelector("b").textContent = one.place;
    card.querySelector("small").textContent = one.at;
    card.querySelector("button").addEventListener("click", () => use(one));
    card.querySelector("a").href = `/camera/layouts/${one.id}.json?as=table`;
    return card;
  }));
}

function showDraft(draft) {
  const shape = document.querySelector('[name="shape"]:checked').value;
  const square = shape === "square" && draft.shape === "rectangle" && draft.width_mm === draft.depth_mm;
  if (!square) document.querySelector(`[name="shape"][value="${draft.shape}"]`).checked = true;
  const unit = unitCm();
  if (document.activeElement !== $("width")) $("width").value = Math.round((draft.width_mm / 10 / unit) * 10) / 10;
  if (document.activeElement !== $("depth")) $("depth").value = Math.round((draft.depth_mm / 10 / unit) * 10) / 10;
  sizesFor(square ? "square" : draft.shape);
  const players = draft.seats?.length ?? Object.keys(draft.hand_counts).length;
  $("players").textContent = players;
  for (const item of document.querySelectorAll("[data-legend-seat]")) item.hidden = Number(item.dataset.legendSeat) >= players;
  const verdict = $("verdict");
  verdict.textContent = draft.verdict.sentence;
  verdict.classList.toggle("good", draft.verdict.good);
  $("hand-counts").hidden = !draft.hands_searched;
  for (const item of document.querySelectorAll("[data-count-seat]")) {
    const count = draft.hand_counts[item.dataset.countSeat];
    item.hidden = count === undefined;
    item.classList.toggle("short", count < 2);
    item.querySelector("[data-count]").textContent = word(["none", "one", "two"][Math.min(count ?? 0, 2)]);
    const size = draft.seats?.find((seat) => seat.seat === Number(item.dataset.countSeat))?.hand_mm;
    item.querySelector("[data-size]").textContent = size ? `${Math.round(size / 10 / unit)} ${unit === 1 ? "cm" : "in"}` : "";
  }
}

let cardKnown = false; // the house's size is shown once; from then on the choice is the person's

function showCardSize(size) {
  if (cardKnown || !size) return;
  cardKnown = true;
  const pill = document.querySelector(`[name="card"][value="${size.join("x")}"]`);
  (pill ?? document.querySelector('[name="card"][value="own"]')).checked = true;
  [$("card-short").value, $("card-long").value] = size;
  $("card-own").hidden = Boolean(pill);
}

function cardMm() {
  const chosen = document.querySelector('[name="card"]:checked').value;
  return chosen === "own" ? [Number($("card-short").value), Number($("card-long").value)] : chosen.split("x").map(Number);
}

// found by itself, or else laid on the table's middle for its corners to be dragged
async function card() {
  if (screen.card) { endCard(); return; }
  const told = await call("card", { card_mm: cardMm() });
  screen.card = told?.card ?? cardToDrag(screen.state.draft?.outline);
  showCard();
}

function cardToDrag(outline) {
  if (!outline) return null;
  const middle = [0, 1].map((axis) => outline.reduce((sum, point) => sum + point[axis], 0) / 4);
  return outline.map((point) => point.map((v, axis) => middle[axis] + (v - middle[axis]) * 0.12));
}

export async function placeCard(corners) {
  screen.card = corners;
  draw(screen);
  const told = await call("card", { card_mm: cardMm(), corners: corners.flat() });
  if (told && screen.card) screen.card = told.card;
  draw(screen);
}

function showCard() {
  $("card-done").hidden = !screen.card;
  $("card-shown").hidden = !screen.card;
  $("card-said").hidden = Boolean(screen.card);
  draw(screen);
}

function endCard() {
  screen.card = null;
  showCard();
}

function sizesFor(shape) {
  $("depth-field").hidden = shape === "round" || shape === "square";
  $("width-name").textContent = word(shape === "round" ? "diameter" : "side");
}

function unitCm() {
  return document.querySelector('[name="unit"]:checked').value === "inch" ? INCH_CM : 1;
}

function sizeMm() {
  return [$("width"), $("depth")].map((field) => Math.min(4000, Math.max(200, Number(field.value) * unitCm() * 10 || 800)));
}

export function chosenShape() {
  return document.querySelector('[name="shape"]:checked').value;
}

async function go(step) {
  screen.step = step;
  stopLens();
  endCard();
  for (const panel of document.querySelectorAll("[data-panel]")) panel.hidden = panel.dataset.panel !== step;
  $("wizard").dataset.now = step;
  const panel = document.querySelector(`[data-panel="${step}"]`);
  const told = step !== "camera" && !screen.state.draft ? await call("start") : null;
  if (!told) show(screen.state);
  panel.querySelector("h2").setAttribute("tabindex", "-1");
  panel.querySelector("h2").focus({ preventScroll: true });
}

async function look(source) {
  $("empty-words").textContent = word("opening");
  $("picture").hidden = true;
  $("empty").hidden = false;
  newest = -1;
  if (await call("look", { source, size: resolution })) refresh();
}

async function use(saved) {
  const told = await call("use", { id: saved.id });
  if (!told) return;
  $("place").value = saved.place;
  if (told.moved) toast(word("moved"));
  go("check");
}

async function auto() {
  toast(word("looking"));
  const shape = chosenShape();
  const told = await call("auto", { shape: autoShape, ruler: Number($("ruler").value) || 100 });
  const doubts = told?.doubts ?? [];
  screen.unsure = told?.sure === false;
  endCard();
  $("doubts").hidden = doubts.length === 0;
  $("doubts").replaceChildren(...doubts.map((doubt) => Object.assign(document.createElement("li"), { textContent: doubt })));
  return shape;
}

let autoShape = null; // Auto decides the shape itself until somebody chose one

export async function place(outline, shape = chosenShape()) {
  screen.unsure = false;
  await call("place", { shape, size_mm: sizeMm(), outline: outline.flat().map((v) => Math.round(v * 10) / 10) });
}

export async function move(what, at) {
  await call("move", { what: String(what), at });
}

async function hands() {
  const told = call("hands");
  const place = $("countdown");
  place.hidden = false;
  for (const left of [3, 2, 1]) {
    place.textContent = left;
    await new Promise((done) => setTimeout(done, 1000));
  }
  place.textContent = "…";
  await told;
  place.hidden = true;
}

let lensTimer = 0;
async function lens() {
  if (lensTimer) { stopLens(); draw(screen); return; }
  await lensLook(true);
  lensTimer = setInterval(() => { if (!busy) lensLook(false); }, 250);
  $("lens").dataset.words ??= $("lens").textContent;
  $("lens").textContent = word("stop");
}

async function lensLook(anew) {
  const told = await call("lens", { anew });
  if (!told) { stopLens(); return; }
  screen.lens = told.collected;
  $("lens-said").hidden = false;
  $("lens-said").textContent = `${told.collected.hint} (${told.collected.views}, ${Math.round(told.collected.share * 100)} %)`;
  $("lens-finish").hidden = !told.collected.ready;
  draw(screen);
}

function stopLens() {
  clearInterval(lensTimer);
  lensTimer = 0;
  screen.lens = null;
  $("lens").textContent = $("lens").dataset.words ?? $("lens").textContent;
}

async function finishLens() {
  stopLens();
  const told = await call("lens", { finish: true });
  if (!told) return;
  $("lens-good").hidden = false;
  $("lens-said").hidden = true;
  $("lens-finish").hidden = true;
  $("lens-figures").textContent = `${told.lens.hfov}° · ${told.lens.reprojection} px`;
}

async function save() {
  const told = await call("save", { place: $("place").value || "Table" });
  if (!told) return;
  toast(word("done"), "good");
  $("export").href = `/camera/layouts/${told.saved}.json?as=table`;
  $("export").hidden = false;
  setTimeout(() => location.assign("/"), 1800);
}

async function bring(event) {
  const file = event.target.files[0];
  if (!file) return;
  const told = await call("import", { text: await file.text(), place: $("place").value || file.name });
  event.target.value = "";
  if (told) use(told.saved_layouts.find((one) => one.id === told.imported));
}

let newest = -1;
let refreshing = false;
async function refresh() {
  if (refreshing) return;
  refreshing = true;
  while (screen.state.source) {
    const answer = await fetch(`/camera/picture.jpg?as=table&after=${newest}`).catch(() => null);
    if (answer?.status === 200) {
      newest = Number(answer.headers.get("X-Number"));
      const old = $("picture").src;
      $("picture").src = URL.createObjectURL(await answer.blob());
      await $("picture").decode().catch(() => null);
      if (old) URL.revokeObjectURL(old);
      $("picture").hidden = false;
      $("empty").hidden = true;
      if (!screen.state.picture) poll();
    } else await new Promise((done) => setTimeout(done, 500));
  }
  refreshing = false;
}

async function poll() {
  if (busy || document.hidden) return;
  const answer = await fetch("/camera/state", { headers: { "X-Role": "table" } }).catch(() => null);
  if (!busy && answer?.ok && !document.querySelector(".dragging")) show(await answer.json());
}

function wire() {
  for (const lamp of document.querySelectorAll(".lamp")) lamp.addEventListener("click", () => go(lamp.dataset.step));
  for (const button of document.querySelectorAll("[data-go]")) button.addEventListener("click", () => go(button.dataset.go));
  for (const pill of document.querySelectorAll('[name="resolution"]')) pill.addEventListener("change", () => { resolution = pill.value.split("x").map(Number); if (screen.state.source) look(screen.state.source); });
  for (const pill of document.querySelectorAll('[name="shape"]')) pill.addEventListener("change", () => { autoShape = pill.value === "oval" ? null : pill.value; sizesFor(pill.value); if (screen.state.draft) place(screen.state.draft.outline); });
  for (const pill of document.querySelectorAll('[name="unit"]')) pill.addEventListener("change", () => show(screen.state));
  for (const field of [$("width"), $("depth")]) field.addEventListener("change", () => screen.state.draft && place(screen.state.draft.outline));
  $("look-address").addEventListener("click", () => $("address").value.trim() && look($("address").value.trim()));
  $("look-again").addEventListener("click", () => { $("cameras").replaceChildren(); poll(); });
  $("auto").addEventListener("click", auto);
  $("measure").addEventListener("click", () => call("measure", { ruler: Number($("ruler").value) || 100 }));
  $("card").addEventListener("click", card);
  $("card-done").addEventListener("click", endCard);
  for (const pill of document.querySelectorAll('[name="card"]')) pill.addEventListener("change", () => { $("card-own").hidden = pill.value !== "own"; });
  $("fewer").addEventListener("click", () => call("seats", { players: Math.max(2, Number($("players").textContent) - 1) }));
  $("more").addEventListener("click", () => call("seats", { players: Math.min(5, Number($("players").textContent) + 1) }));
  $("hands").addEventListener("click", hands);
  $("lens").addEventListener("click", lens);
  $("lens-finish").addEventListener("click", finishLens);
  $("save").addEventListener("click", save);
  $("import").addEventListener("change", bring);
  for (const [link, to] of [[$("leave"), "/"], [$("leave-to"), "/table"]]) link.addEventListener("click", async (event) => { event.preventDefault(); await call("leave"); location.assign(to); });
  watchDrags(screen, { place, placeCard, move, curve, redraw: () => draw(screen), shape: chosenShape });
  setInterval(poll, STATE_EVERY_MS);
}

wire();
poll().then(() => { if (screen.state.source) refresh(); });
