// A clip: the video loops; slow motion; the arrows show the camera's own pictures one by one, with their times.

import { t } from "./words.js";

const SLOW = 0.25;
const lists = new Map();

const as = () => (document.getElementById("app").dataset.role ? `?as=${document.getElementById("app").dataset.role}` : "");

// A clip that was moved on the page stands still: it goes on.
export function goOn() {
  document.querySelectorAll("[data-clip]:not(.paused) video").forEach((video) => video.paused && video.play().catch(() => {}));
}

export function wireClips() {
  document.addEventListener("click", (event) => {
    unfold(event.target.closest("[data-earlier]"));
    event.target.closest(".flag")?.setAttribute("data-local", "looked-at"); // stays open when newer ones come
    const clip = event.target.closest("[data-clip]");
    if (!clip) return;
    const video = clip.querySelector("video");
    const stepper = event.target.closest("[data-frame]");
    if (stepper) stepFrame(clip, video, Number(stepper.dataset.frame));
    else if (event.target.closest("[data-slow]")) slow(clip, video);
    else if (event.target.closest("[data-toggle], video, img.frame")) toggle(clip, video);
  });
  document.addEventListener("keydown", (event) => {
    const clip = event.target.closest?.("[data-clip]");
    if (!clip || !["ArrowLeft", "ArrowRight"].includes(event.key)) return;
    event.preventDefault();
    stepFrame(clip, clip.querySelector("video"), event.key === "ArrowLeft" ? -1 : 1);
  });
}

// Flags but for the newest are folded away: an attribute on their button says so, which the screen's refreshes leave alone.
function unfold(button) {
  if (!button) return;
  const open = button.dataset.local !== "open";
  button.dataset.local = open ? "open" : "";
  button.setAttribute("aria-expanded", String(open));
}

function slow(clip, video) {
  video.playbackRate = video.playbackRate === 1 ? SLOW : 1;
  clip.querySelector("[data-slow]").setAttribute("aria-pressed", String(video.playbackRate !== 1));
  play(clip, video);
}

function toggle(clip, video) {
  if (video.paused) play(clip, video);
  else {
    video.pause();
    clip.classList.add("paused");
  }
}

function play(clip, video) {
  clip.querySelector("img.frame").hidden = true;
  video.hidden = false;
  clip.querySelector(".frame-at").textContent = "";
  clip.classList.remove("paused");
  delete clip.dataset.at;
  video.play().catch(() => {});
}

async function times(address) {
  if (!lists.has(address)) {
    const response = await fetch(`${address}/frames${as()}`);
    if (!response.ok) return [];
    lists.set(address, (await response.json()).times_s);
  }
  return lists.get(address);
}

async function stepFrame(clip, video, by) {
  const list = await times(clip.dataset.clip);
  if (!list.length) return;
  video.pause();
  clip.classList.add("paused");
  const from = clip.dataset.at === undefined ? nearest(list, video.currentTime) : Number(clip.dataset.at);
  const at = Math.min(list.length - 1, Math.max(0, from + by));
  clip.dataset.at = at;
  const image = clip.querySelector("img.frame");
  image.src = `${clip.dataset.clip}/frames/${at}.jpg${as()}`;
  image.alt = t("Picture {number} of {all}", { number: at + 1, all: list.length });
  await image.decode().catch(() => {});
  image.hidden = false;
  video.hidden = true;
  clip.querySelector(".frame-at").textContent = `${at + 1}/${list.length} · ${list[at].toFixed(3)} s`;
}

const nearest = (list, seconds) => list.reduce((best, one, at) => (Math.abs(one - seconds) < Math.abs(list[best] - seconds) ? at : best), 0);
