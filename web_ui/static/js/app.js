// Entry of every screen: what buttons do, by their attributes. Parts are plain ES modules beside this file.

import * as taps from "./taps.js";
import { dropOutdated, toast } from "./toast.js";
import * as live from "./live.js";
import { makeRoom, wireDialogs } from "./dialogs.js";
import { wireChoosing } from "./choosing.js";
import { leaveOutDoubles } from "./doubletap.js";
import { wireForms } from "./forms.js";
import { markSlowest, wireSlaps } from "./slaps.js";
import { fillStrips, wireStrips } from "./strips.js";
import { goOn, wireClips } from "./clips.js";
import { stayAwake } from "./awake.js";
import { celebrate } from "./confetti.js";
import { buzz } from "./buzz.js";

leaveOutDoubles();
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) print();
  const button = event.target.closest("[data-move], [data-post]");
  if (!button || button.disabled || button.tagName === "FORM") return;
  event.preventDefault();
  const seq = Number(document.getElementById("app")?.dataset.seq ?? 0);
  press(button);
  if (button.dataset.move) tapMove(button, { move: button.dataset.move, seq });
  else taps.send(button.dataset.post, { ...JSON.parse(button.dataset.body || "{}"), seq }).then((answer) => follow(answer));
  button.closest("dialog")?.close();
});

// `data-then` is a second move that the same tap says, `data-say` what everybody is to do now.
function tapMove(button, move) {
  const { then, say } = button.dataset;
  taps.send("/moves", then ? { ...move, then } : move)
    .then((answer) => say && answer?.status === 200 && toast(say, "good", { seq: answer.seq }));
}

function press(button) {
  button.classList.add("pressed");
  setTimeout(() => button.classList.remove("pressed"), 350);
}

function follow(answer) {
  // in the place of the form that was sent: the way back would lead to it, where it is refused now
  if (answer?.status < 400 && answer.go) location.replace(answer.go);
}

wireDialogs();
wireChoosing();
wireForms(follow);
wireSlaps();
wireStrips();
wireClips();
live.onChange(makeRoom);
live.onChange(dropOutdated);
live.onChange(buzz);
live.onChange(celebrate);
live.onChange(markSlowest);
live.onChange(fillStrips);
live.onChange(goOn);
live.onChange(stayAwake);
live.start();
