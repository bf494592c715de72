"""The set-up of a table, step by step; each step can be skipped and redone. Holds the draft until it is saved."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from companion.calibration import draft as drafts
from companion.calibration.again import as_seen_now
from companion.calibration.cameraview import CameraView, FoundHands, Seen
from companion.calibration.handsearch import hand_lengths
from companion.calibration.layouts import LayoutStore, SavedLayout
from companion.calibration.waving import Waving
from companion.errors import CompanionError
from companion.vision.calibrate import TableProposal, measure_outline, propose_table
from companion.vision.camera import Camera, solve_camera
from companion.vision.cardfind import FoundCard, find_card, measure_card
from companion.vision.layout import XY, Layout, Lens, Shape, Table, dump_layout, parse_layout
from companion.vision.lens import LensResult, Progress, solve_lens


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """What the wizard needs of the program around it."""

    let_go: Callable[[], None]
    """Called before a camera is looked at: the watcher lets go of the device."""
    watch: Callable[[Layout, str], None]
    """Called with the layout and the source when the table is set up."""
    carry_on: Callable[[], None]
    """Called when the wizard is left without a new table: the watcher goes on as before."""
    now: Callable[[], datetime]
    model: Callable[[], str]
    """Returns the hand model's path, or raises CompanionError with what to do."""


class Wizard:
    """One table's set-up; thread-safe, one at a time."""

    def __init__(self, store: LayoutStore, doors: Doors, configured: str = "", sysfs: Path | None = None) -> None:
        self.store = store
        self.configured = configured
        self.sysfs = sysfs
        self._doors = doors
        self._lock = threading.RLock()
        self._view: CameraView | None = None
        self._draft: Layout | None = None
        self._lens: Lens | None = None
        self._players = drafts.START_PLAYERS
        self._hands: FoundHands = FoundHands()
        self._searched = False
        self._arranged = False
        """Somebody has put places or piles where they are: a corrected size moves them along, no more."""
        self._waving: Waving | None = None

    @property
    def view(self) -> CameraView | None:
        """Return the view of the camera that is looked at."""
        return self._view

    @property
    def source(self) -> str:
        """Return the source that is looked at, empty for none."""
        return self._view.source if self._view else ""

    @property
    def draft(self) -> Layout | None:
        """Return the layout as far as it is set up."""
        return self._draft

    @property
    def hands(self) -> FoundHands:
        """Return what the last search for hands found."""
        return self._hands

    @property
    def placed(self) -> bool:
        """Tell whether the outline is where somebody or the printed page put it, not where it lies at the start."""
        draft = self._draft
        return draft is not None and draft.outline_px != drafts.start_outline(draft.image_size)

    @property
    def searched(self) -> bool:
        """Tell whether hands were searched for since the places were set."""
        return self._searched

    @property
    def trouble(self) -> CompanionError | None:
        """Return why there is no picture."""
        return self._view.trouble if self._view else None

    @property
    def seen(self) -> Seen | None:
        """Return the newest picture."""
        return self._view.seen if self._view else None

    def look(self, source: str, size: tuple[int, int] = (1280, 720)) -> None:
        """Look through a camera; what was set up with another one is put aside."""
        with self._lock:
            if self._view and (self._view.source, self._view.size) == (source, size):
                return
            self._doors.let_go()
            if self._view:
                self._view.close()
            self._view = CameraView(source, size)
            self._draft, self._hands, self._lens, self._waving = None, FoundHands(), None, None
            self._searched = self._arranged = False

    def thumbnail(self, source: str, timeout_s: float = 5.0) -> Seen | None:
        """Return one picture of a camera that is not being looked at, None where it gives none."""
        with self._lock:
            if self._view and self._view.source == source:
                return self._view.wait(-1, timeout_s)
            self._doors.let_go()
            view = CameraView(source)
            try:
                return view.wait(0, timeout_s)
            finally:
                view.close()

    def leave(self) -> None:
        """Let go of the camera and let the watcher go on as before."""
        self.close()
        self._doors.carry_on()

    def close(self) -> None:
        """Let go of the camera: the program ends."""
        with self._lock:
            self._close()

    def place_by_page(self, shape: Shape | None, ruler_mm: float) -> TableProposal:
        """Find the table by the printed page in the present picture; it becomes the draft."""
        seen = self._picture()
        found = propose_table(seen.image(), lens=self._lens, shape=shape, print_scale=ruler_mm / 100.0)
        self._set(found.table, found.outline_px, found.lens, seen.size)
        return found

    def place(self, table: Table, outline_px: tuple[XY, XY, XY, XY]) -> Layout:
        """Take the outline that a person tapped or dragged."""
        seen = self._picture()
        lens = self._lens or (self._draft.lens if self._draft else Lens(hfov_deg=drafts.NOMINAL_HFOV_DEG))
        return self._set(table, outline_px, lens, seen.size)

    def start_outline(self) -> Layout:
        """Return the draft, or a table in the middle of the picture to drag into place."""
        if self._draft is not None:
            return self._draft
        return self.place(drafts.START_TABLE, drafts.start_outline(self._picture().size))

    def measure_card(self, card_mm: XY, corners_px: list[XY] | None = None) -> FoundCard:
        """Take the table's size from a card of the game that lies on it, found by itself or with its corners placed."""
        draft = self._need_draft()
        image = self._picture().image()
        if corners_px is None:
            found = find_card(image, draft, card_mm)
        else:
            found = measure_card(image, draft, np.array(corners_px), card_mm)
        self._set(found.fit.table, draft.outline_px, draft.lens, draft.image_size)
        self.store.keep_card_mm(card_mm)
        return found

    def measure(self, ruler_mm: float) -> Table:
        """Take the table's size from the printed page in the present picture and the outline as it is."""
        draft = self._need_draft()
        table = measure_outline(self._picture().image(), draft, ruler_mm / 100.0)
        self._set(table, draft.outline_px, draft.lens, draft.image_size)
        return table

    def seat(self, players: int) -> Layout:
        """Propose places for so many players."""
        with self._lock:
            self._draft = drafts.seated(self._need_draft(), players)
            self._players = players
            self._hands, self._searched, self._arranged = FoundHands(), False, False
            return self._draft

    def move_seat(self, seat: int, at_px: XY) -> Layout:
        """Put a place where it was dragged to in the picture; places are numbered anew, clockwise."""
        with self._lock:
            self._draft, self._arranged = drafts.seat_moved(self._need_draft(), seat, at_px), True
            return self._draft

    def move_pile(self, pile: str, at_px: XY) -> Layout:
        """Put the draw or the discard pile where it was dragged to."""
        with self._lock:
            self._draft, self._arranged = drafts.pile_moved(self._need_draft(), pile, at_px), True
            return self._draft

    def find_hands(self) -> FoundHands:
        """Search for everybody's hands for three seconds; hand sizes are kept with the seats."""
        draft = self._need_draft()
        view = self._view
        if view is None:
            raise CompanionError("Choose a camera first.")
        found = view.find_hands(dump_layout(draft), self._doors.model())
        with self._lock:
            self._hands, self._searched = found, found.trouble is None
            self._draft = drafts.hands_measured(draft, hand_lengths(list(found.hands)))
        return found

    def collect_lens(self, *, anew: bool = False) -> Progress:
        """Look for the lens board in the newest picture, and say how far collecting has come."""
        with self._lock:
            if self._waving is None or anew:
                self._waving = Waving()
            return self._waving.look(self._picture())

    def finish_lens(self) -> LensResult:
        """Solve the lens from the views collected; what is placed from now on uses it."""
        with self._lock:
            result = solve_lens(self._waving.views if self._waving else ())
            self._lens = result.lens
            if self._draft is not None:
                self._draft = replace(self._draft, lens=result.lens)
            return result

    def save(self, place: str) -> SavedLayout:
        """Save the draft under a name, and let the watcher watch it."""
        with self._lock:
            draft = parse_layout(dump_layout(self._need_draft()))
            solve_camera(draft)
            saved = self.store.save(draft, place=place, camera=self.source, at=self._doors.now())
            if self.seen is not None:
                self.store.picture(saved.id).write_bytes(self.seen.jpeg)
            source = self.source
            self._close()
        self._doors.watch(saved.layout, source)
        return saved

    def use(self, layout_id: str) -> tuple[Layout, bool]:
        """Take a saved layout as the draft; tell whether the camera moved since and the outline was moved after it."""
        with self._lock:
            saved = self.store.get(layout_id)
            seen = self._picture()
            layout, moved = as_seen_now(saved.layout, self.store.picture(saved.id), seen)
            self._draft, self._arranged = layout, True
            self._lens = layout.lens if layout.lens.matrix else None
            self._players = len(layout.seats)
            return layout, moved

    def import_layout(self, text: str, place: str) -> SavedLayout:
        """Keep a layout that came as a file."""
        return self.store.import_text(text, place=place, camera=self.source, at=self._doors.now())

    def camera(self) -> Camera:
        """Return the camera solved from the draft; raises LayoutError where the outline and the size contradict."""
        return solve_camera(self._need_draft())

    def _set(self, table: Table, outline_px: tuple[XY, XY, XY, XY], lens: Lens, size: tuple[int, int]) -> Layout:
        with self._lock:
            self._draft = drafts.placed(
                self._draft, table, outline_px, lens, size, players=self._players, arranged=self._arranged
            )
            return self._draft

    def _picture(self) -> Seen:
        view = self._view
        if view is None:
            raise CompanionError("Choose a camera first.")
        seen = view.seen or view.wait(-1, 3.0)
        if seen is None:
            raise view.trouble or CompanionError("There is no picture yet: wait a moment.")
        return seen

    def _need_draft(self) -> Layout:
        if self._draft is None:
            raise CompanionError("Place the table first.")
        return self._draft

    def _close(self) -> None:
        if self._view:
            self._view.close()
        self._view = None
