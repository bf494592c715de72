// Forms that become a move or a new game: steppers, counts at the end of a round, who drew for the ant, names.

import * as taps from "./taps.js";
import { t } from "./words.js";
import { toast } from "./toast.js";

const POINTS = { number: 1, spider: 5, ant: 5, cockroach: 5, mosquito: 5, moth: 10 };
const DECK = { number: 43, spider: 5, ant: 5, cockroach: 5, mosquito: 5, moth: 8 };
const MOST_CARDS = 71;
const SEATS = 5;
const NOT_ALLOWED = 422; // read, but against the rules

const seq = () => Number(document.getElementById("app").dataset.seq);

export function wireForms(follow) {
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (step) stepBy(step);
    if (event.target.closest("[data-start]")) {
      event.target.closest("dialog").close();
      sendGame(document.querySelector("[data-new-game]"), follow);
    }
    const place = event.target.closest("[data-add-player], [data-drop-player], [data-later]");
    if (place) movePlayers(place);
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.matches("[data-count]")) post(event, `count ${form.dataset.count} ${countText(form)}`.trim());
    else if (form.matches("[data-ants]")) post(event, `ant ${ticked(form)}`);
    else if (form.matches("[data-set]")) post(event, `${form.dataset.set} ${form.querySelector("output").textContent}`);
    else if (form.matches("[data-rename]")) {
      event.preventDefault();
      taps.send(`/players/${form.dataset.rename}/name`, { name: form.elements.name.value });
    } else if (form.matches("[data-new-game]")) startGame(event, follow);
  });
  taps.on("answered", showRefused);
  document.addEventListener("input", (event) => event.target.closest("[data-new-game]") && drawTable());
  drawTable();
}

function post(event, move) {
  event.preventDefault();
  taps.send("/moves", { move, seq: seq() });
  event.target.closest("dialog")?.close();
}

// Why a count was refused stays in its form until the count is changed or the discard pile set right.
function showRefused(answer, move = "") {
  if (move.startsWith("set discard")) document.querySelectorAll("[data-refused]").forEach((box) => { box.hidden = true; });
  if (move.startsWith("count") && answer.status === 200) document.querySelectorAll("details[name=recount][open]").forEach((one) => { one.open = false; });
  const box = document.querySelector(`[data-count="${Number(move.match(/^count (\d+)/)?.[1] ?? -1)}"] [data-refused]`);
  if (!box || answer.status !== NOT_ALLOWED) return false;
  box.hidden = false;
  box.querySelector("p").textContent = answer.sentence;
  box.querySelector("button").hidden = !/=[1-9]/.test(move); // an empty hand is not a question of the discard pile
  return true;
}

function stepBy(button) {
  const box = button.closest(".stepper") ?? button.closest("form");
  const output = box.querySelector("output");
  const most = DECK[output.getAttribute("name")] ?? MOST_CARDS;
  output.textContent = Math.min(most, Math.max(0, Number(output.textContent) + Number(button.dataset.step)));
  const form = button.closest("[data-count]");
  if (!form) return;
  form.querySelector("[data-refused]").hidden = true;
  const counts = [...form.querySelectorAll("output[name]")].map((one) => [one.getAttribute("name"), Number(one.textContent)]);
  sayCount(form.querySelector("[data-sum-cards]"), counts.reduce((sum, [, cards]) => sum + cards, 0));
  sayCount(form.querySelector("[data-sum-points]"), counts.reduce((sum, [kind, cards]) => sum + cards * POINTS[kind], 0));
}

// A number and its noun in the form that this language has for it: French counts 0 as one, the others as several.
function sayCount(place, number) {
  const noun = place.nextElementSibling;
  const one = new Intl.PluralRules(document.documentElement.lang).select(number) === "one";
  place.textContent = number;
  noun.textContent = one ? noun.dataset.one : noun.dataset.several;
}

const countText = (form) => [...form.querySelectorAll("output[name]")]
  .map((one) => `${one.getAttribute("name")}=${one.textContent}`).join(" ");

const ticked = (form) => [...form.querySelectorAll("input:checked")].map((one) => one.value).join(" ") || "none";

// ---- setting up a game

const rows = () => [...document.querySelectorAll("[data-player]")];
const shown = () => rows().filter((row) => !row.hidden);
const names = () => shown().map((row) => nameIn(row).value.trim());
const nameIn = (row) => row.querySelector("input[name=name]");

function movePlayers(button) {
  if (button.matches("[data-add-player]")) {
    const next = rows().find((row) => row.hidden);
    if (next) next.hidden = false;
    nameIn(next ?? rows().at(-1)).focus();
  } else if (button.matches("[data-drop-player]")) {
    if (shown().length > 3) {
      nameIn(shown().at(-1)).value = "";
      shown().at(-1).hidden = true;
    } else toast(t("It takes three players at least."));
  } else {
    const row = button.closest("[data-player]");
    const all = shown();
    const other = all[(all.indexOf(row) + 1) % all.length];
    [nameIn(row).value, nameIn(other).value] = [nameIn(other).value, nameIn(row).value];
    const [mine, theirs] = [row, other].map((one) => one.querySelector("input[name=oldest]"));
    if (mine.checked) theirs.checked = true;
    else if (theirs.checked) mine.checked = true;
  }
  drawTable();
}

const LETTERS = 14; // of a name in the drawing

function drawTable() {
  const picture = document.querySelector("[data-round-table]");
  if (!picture) return;
  picture.querySelectorAll(".sitter").forEach((old) => old.remove());
  const players = shown();
  players.forEach((row, seat) => {
    const angle = Math.PI / 2 + (2 * Math.PI * seat) / players.length; // seat 0 at the bottom, then clockwise
    const [x, y] = [160 + 118 * Math.cos(angle), 150 + 104 * Math.sin(angle)];
    const sitter = make("g", { class: `sitter seat-${seat}` });
    sitter.append(make("circle", { cx: x, cy: y, r: 30 }));
    const art = make("svg", { x: x - 18, y: y - 18, width: 36, height: 36 });
    art.append(make("use", { href: `${picture.querySelector("use").getAttribute("href").split("#")[0]}#seat-${seat}` }));
    const name = make("text", { x, y: y < 150 ? y - 37 : y + 45, "text-anchor": "middle" }); // outside, where it has room
    name.textContent = shortened(nameIn(row).value.trim() || `${seat + 1}`);
    sitter.append(art, name);
    picture.append(sitter);
  });
}

// Letters as people see them: an emoji of several code points is one.
const letters = (text) => (Intl.Segmenter ? [...new Intl.Segmenter().segment(text)].map((one) => one.segment) : [...text]);

// A name that has no room is its first word; a word that has none ends in an ellipsis.
function shortened(name) {
  const word = letters(name).length > LETTERS ? name.split(/\s/)[0] : name;
  const all = letters(word);
  return all.length > LETTERS ? `${all.slice(0, LETTERS - 1).join("")}…` : word;
}

function make(tag, attributes) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
  return element;
}

function startGame(event, follow) {
  event.preventDefault();
  const missing = names().indexOf("");
  if (missing >= 0) {
    toast(t("Every player needs a name."), "wrong");
    nameIn(shown()[missing]).focus();
    return;
  }
  const sure = document.getElementById("confirm-new"); // there while a game is on
  if (sure) sure.showModal();
  else sendGame(event.target, follow);
}

function sendGame(form, follow) {
  const oldest = shown().findIndex((row) => row.querySelector("input[name=oldest]").checked);
  const house = {};
  for (const [key, value] of new FormData(form)) {
    if (key.startsWith("house.")) house[key.slice(6)] = /^\d+$/.test(value) ? Number(value) : value;
  }
  const assist = form.querySelector("input[name=assist]:checked")?.value ?? "live";
  taps.send("/new", { players: names(), oldest: Math.max(0, Math.min(oldest, SEATS - 1)), house, assist }).then(follow);
}
