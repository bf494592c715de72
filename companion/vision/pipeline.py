"""From frames to events: look where hands are or something moves, follow each hand, weigh what is seen.

The one stateful piece of the vision. It reads no clock: a frame brings its own time, and all that it decides at a frame
rests on that frame and those before it.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from companion.vision.edgecues import EdgeLook, EdgeView
from companion.vision.events import Context, Event, Sensitivity
from companion.vision.evidence import HandCue, SeatCue, table_colour
from companion.vision.frame import NS_PER_S, Frame
from companion.vision.geometry import Box, solve_camera
from companion.vision.gestures import SeatGestures
from companion.vision.handplace import HandPlaces
from companion.vision.hands import Finder
from companion.vision.handsize import LearntSize
from companion.vision.handspots import HandSpots
from companion.vision.layout import Layout
from companion.vision.looking import (
    Gray,
    LookingSettings,
    Patch,
    boxes_around,
    find_patch,
    missed_looks,
    patch_at,
    seat_tiles,
    small_picture,
    tile_box,
    to_gray,
)
from companion.vision.owners import Owners, Slot
from companion.vision.seatnet import SeatAnswer, SeatNet, SeatScores
from companion.vision.seatview import SeatMemory, seat_input, seat_picture, seat_view
from companion.vision.tracking import HandTrack, TrackingSettings, assign, predict, without_doubles
from companion.vision.trees import load_rules


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineSettings:
    """How often and how hard to look; times in s."""

    period_s: float = 0.1
    """Time between analysed frames: below, sleeve and slap movements last 0.5 s and more."""
    slack_s: float = 0.02
    """A frame this much early is analysed too, so that 30 fps gives exactly every third."""
    still_s: float = 0.4
    """A hand whose looks have not changed is taken as still there, and looked at again after so long."""
    still_alike: float = 0.96
    """Correlation with no shift from which a hand has not moved."""
    still_enough: float = 0.85
    """Correlation that keeps a hand the model has not found for longer than ``follow_s``: what lay behind a hand that
    went away looks a little like it, too."""
    hold_s: float = 0.7
    """A hand the model lost is kept by its looks alone for so long while it moves."""
    hold_still_s: float = 4.0
    """The same while it does not move: the hand under a fan of cards is often lost by the model, yet plainly there."""
    follow_s: float = 0.5
    """A lost hand is looked for around its last place for so long."""
    searches: int = 5
    """Search tiles a frame where seats lack a hand."""
    search_s: float = 0.25
    """A tile is not searched again before so long."""
    sure_hits: int = 3
    """A hand seen so often in a row is one, and its player's: then its size is learnt from."""
    most_calls: int = 11
    """Calls of the hand model in one frame at most; eleven at 10 Hz are what two cores can do."""
    looking: LookingSettings = field(default_factory=LookingSettings)
    tracking: TrackingSettings = field(default_factory=TrackingSettings)


SETTINGS = PipelineSettings()

NET_NAMES = (
    "below_left", "below_right", "sleeve", "behind_head", "card_drop", "height_left_mm", "height_right_mm", "raised"
)  # fmt: skip
"""The seat model's scores that are weighed."""


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class SeenHand:
    """A hand as it stands in the last analysed frame: found by the model there, or kept by its unchanged looks."""

    track: HandTrack
    position_mm: tuple[float, float, float]
    """The wrist in the table's frame."""
    spread_mm: tuple[float, float, float]
    """One standard deviation of it along each axis."""
    found: bool


@dataclass(frozen=True, eq=False, slots=True)
class _Kept:
    """What a track needs to be kept without the model: its patch, and when it was last kept."""

    patch: Patch
    at_ns: int


class Pipeline:
    """Feed it frames in order; it returns the events that became certain with each."""

    def __init__(
        self,
        layout: Layout,
        finder: Finder,
        settings: PipelineSettings = SETTINGS,
        sensitivity: Sensitivity = Sensitivity.NORMAL,
        net: SeatNet | None = None,
    ) -> None:
        """Solve the camera and lay out where to look; raises LayoutError where the outline fits no camera.

        Without ``net``, the seat model, what only it can see (sleeves, the head, drops) is never told.
        """
        self.camera = solve_camera(layout)
        self.layout = layout
        self.tiles = seat_tiles(self.camera, layout, settings.looking)
        self.boxes: list[Box] = []
        """The boxes looked at in the last analysed frame."""
        self.hands: list[SeenHand] = []
        """The hands in the last analysed frame."""
        self.sizes = {s.seat: LearntSize(s.hand_mm) for s in layout.seats}
        """How long each player's hands are, as far as is known by now."""
        self.cues: dict[int, SeatCue] = {}
        """What was weighed at each seat in the last analysed frame."""
        self.analysed = 0
        """Frames analysed so far."""
        rules = load_rules() if net is not None else None
        self.gestures = {
            s.seat: SeatGestures(self.camera, layout, s.seat, sensitivity, rules=rules) for s in layout.seats
        }
        """What is weighed at each seat."""
        self._net = net
        self._views = {s.seat: seat_view(self.camera, layout, s.seat) for s in layout.seats} if net else {}
        self._memories = {seat: SeatMemory() for seat in self._views}
        self._finder = finder
        self._settings = settings
        self._places = HandPlaces(self.camera, layout)
        self._owners = Owners(self.camera, layout, settings.tracking.owners)
        self._tracks: dict[Slot, HandTrack] = {}
        self._kept: dict[Slot, _Kept] = {}
        self._searched_ns = [-(10**10)] * len(self.tiles)
        self._visits: Counter[int] = Counter()
        self._due_ns = 0
        self._gray: Gray | None = None
        self._edge_view: EdgeView | None = None
        self.edges: dict[int, EdgeLook] = {}
        """Each seat's edge in the last analysed frame."""

    def feed(self, frame: Frame, context: Context) -> list[Event]:
        """Take the next frame; return the events that became certain. Frames between the analysed ones cost nothing."""
        slack = round(self._settings.slack_s * NS_PER_S)
        if frame.at_ns + slack < self._due_ns:
            return []
        period = round(self._settings.period_s * NS_PER_S)
        self._due_ns = max(self._due_ns + period, frame.at_ns + period // 2)
        self.analysed += 1
        small = small_picture(frame.image, self._settings.looking)
        gray = to_gray(small)
        if self._edge_view is None:
            self._edge_view = EdgeView(self.camera, self.layout, small.shape[1])
        self.edges = self._edge_view.look(small, gray, self._gray)
        answers = self._ask_net(frame)
        spots = HandSpots(self._views, {seat: answer.spots for seat, answer in answers.items()}) if answers else None
        self._see_hands(frame, gray, spots)
        self._gray = gray
        return self._weigh(frame.at_s, {seat: answer.scores for seat, answer in answers.items()}, context)

    def finish(self) -> list[Event]:
        """Return what is still pending when there are no more frames."""
        return []

    def _ask_net(self, frame: Frame) -> dict[int, SeatAnswer]:
        if self._net is None:
            return {}
        for seat, view in self._views.items():
            self._memories[seat].add(frame.at_s, seat_picture(view, frame.image))
        inputs = [seat_input(view, self._memories[seat].moments()) for seat, view in self._views.items()]
        return dict(zip(self._views, self._net.answers(inputs), strict=True))

    def _weigh(self, at_s: float, scores: Mapping[int, SeatScores], context: Context) -> list[Event]:
        colour, spread = table_colour(self.edges)
        events = []
        for seat, gestures in self.gestures.items():
            hands = {
                h.track.side: HandCue(
                    landmarks_px=h.track.landmarks_px, size_px=h.track.size_px, found=h.found, hits=h.track.hits
                )
                for h in self.hands
                if h.track.seat == seat
            }
            net = {name: getattr(scores[seat], name) for name in NET_NAMES} if seat in scores else {}
            cue = SeatCue(
                at_s=at_s, hands=hands, edge=self.edges.get(seat), table_lab=colour, table_spread=spread, net=net
            )
            self.cues[seat] = cue
            events += gestures.observe(cue, context)
        return events

    def _see_hands(self, frame: Frame, gray: Gray, spots: HandSpots | None) -> None:
        s = self._settings
        scale = gray.shape[1] / frame.image.shape[1]
        held = self._keep_by_looks(gray, scale, frame.at_ns)
        self.boxes = self._choose_boxes(frame.at_ns, held)
        found = without_doubles(self._finder.find(frame.image, self.boxes), s.tracking)
        before = self._tracks
        tracks = assign(list(before.values()), found, self._owners, frame.at_ns, s.tracking, spots=spots)
        self._tracks = {(t.seat, t.side): t for t in tracks}
        for slot, track in self._tracks.items():
            if track.seen_ns == frame.at_ns:
                patch = patch_at(gray, track.landmarks_px, scale)
                if patch is not None:
                    self._kept[slot] = _Kept(patch, frame.at_ns)
            elif slot in before and before[slot].seen_ns != track.seen_ns:
                self._kept.pop(slot, None)
        for slot in [slot for slot in self._kept if slot not in self._tracks]:
            del self._kept[slot]
        self.hands = [
            self._seen(track, track.seen_ns == frame.at_ns)
            for slot, track in self._tracks.items()
            if track.seen_ns == frame.at_ns or slot in held
        ]

    def _keep_by_looks(self, gray: Gray, scale: float, at_ns: int) -> dict[Slot, bool]:
        """Shift tracks to where their looks went; return those still there, True where they have not moved."""
        s = self._settings
        held: dict[Slot, bool] = {}
        for slot, kept in list(self._kept.items()):
            track = self._tracks[slot]
            lost_s = (at_ns - track.seen_ns) / NS_PER_S
            if lost_s > s.hold_still_s:
                del self._kept[slot]
                continue
            reach = s.looking.reach * track.size_px * scale
            dx, dy, alike = find_patch(gray, kept.patch, reach, s.looking)
            still = max(abs(dx), abs(dy)) <= 1.0
            enough = s.looking.alike if lost_s < s.follow_s else s.still_enough
            if alike < enough or (not still and lost_s > s.hold_s):
                if lost_s > s.follow_s:
                    del self._kept[slot]
                continue
            shift = np.array([dx, dy]) / scale
            if not still:
                self._tracks[slot] = replace(track, landmarks_px=track.landmarks_px + shift)
                moved = Patch(kept.patch.gray, kept.patch.x + int(dx), kept.patch.y + int(dy))
                self._kept[slot] = _Kept(moved, at_ns)
            held[slot] = still and alike >= s.still_alike
        return held

    def _choose_boxes(self, at_ns: int, held: dict[Slot, bool]) -> list[Box]:
        s = self._settings
        spots = []
        for slot, track in self._tracks.items():
            lost_s = (at_ns - track.seen_ns) / NS_PER_S
            if held.get(slot) and lost_s < s.still_s:
                continue
            if lost_s <= s.follow_s or slot in held:
                missed = missed_looks(lost_s / s.period_s, still=held.get(slot, False))
                spots.append((predict(track, at_ns), track.size_px, missed))
        boxes = boxes_around(spots, self.camera.size, s.looking)[: s.most_calls]
        return boxes + self._searches(at_ns, s.most_calls - len(boxes))

    def _searches(self, at_ns: int, room: int) -> list[Box]:
        """Choose tiles of seats that lack a hand, the longest unsearched first; all of them in the first frame."""
        s = self._settings
        seen = Counter(
            t.seat
            for slot, t in self._tracks.items()
            if (at_ns - t.seen_ns) / NS_PER_S < s.follow_s or slot in self._kept
        )
        waiting = []
        for number, tile in enumerate(self.tiles):
            age = at_ns - self._searched_ns[number]
            if seen[tile.seat] < 2 and age >= s.search_s * NS_PER_S:
                waiting.append((age * (2 - seen[tile.seat]), number))
        waiting.sort(reverse=True)
        if self.analysed > 1:
            waiting = waiting[: max(min(s.searches, room), 0)]
        boxes = []
        for _, number in waiting:
            boxes.append(tile_box(self.tiles[number], self._visits[number], self.camera.size, s.looking))
            self._searched_ns[number] = at_ns
            self._visits[number] += 1
        return boxes

    def _seen(self, track: HandTrack, found: bool) -> SeenHand:
        """Place a hand, and learn from it how long its player's hands are."""
        learnt = self.sizes[track.seat]
        place = self._places.place(track.seat, track.side, track.wrist_px, track.size_px, learnt.size)
        if found and track.hits >= self._settings.sure_hits:
            plain_mm = self._places.plain_mm(place, track.wrist_px, track.size_px)
            if plain_mm is not None:
                learnt.see(plain_mm)
        x, y, z = place.position_mm.tolist()
        along_x, along_y, along_z = place.spread_mm.tolist()
        return SeenHand(track=track, position_mm=(x, y, z), spread_mm=(along_x, along_y, along_z), found=found)
