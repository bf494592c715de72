"""The camera's set-up in the browser: pick a camera, place the table, the seats, the hands, check, done."""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from flask import Blueprint, Response, abort, current_app, make_response, render_template, request

from companion.calibration.cameras import cameras, judge_picture, source_name
from companion.calibration.layouts import SavedLayout, export_text
from companion.calibration.wizard import Wizard
from companion.errors import CompanionError
from companion.rules.state import Phase
from companion.session.errors import NotYours
from companion.vision.cardscale import SIDE_MM
from companion.vision.geometry import outline_curve, pile_crop, seat_crops
from companion.vision.layout import XY, Layout, LayoutError, Shape, Table
from companion.vision.printed import Paper, pages_pdf
from companion.vision.verdict import judge
from companion.web.context import session, viewer
from companion.web.moves import UNREADABLE, BadTap, on_tap, text
from companion.web.words import error_sentence, mark, sentence

screen = Blueprint("calibrate", __name__, url_prefix="/camera")

KEY = "moth_wizard"
LONGEST_SOURCE = 500
LONGEST_WAIT_S = 1.5
RESOLUTIONS = ((1280, 720), (1920, 1080), (640, 480))
NO_WIZARD = mark("The camera cannot be set up in this session: start the companion with cheating-moth run.")
NOT_HERE = mark("The camera is set up on the table's tablet.")


def wizard() -> Wizard:
    """Return this app's wizard; raises CompanionError where there is none or the screen is not the table's."""
    found: Wizard | None = current_app.extensions.get(KEY)
    if found is None:
        raise CompanionError(NO_WIZARD)
    if not viewer().table:
        raise NotYours(NOT_HERE)
    return found


@screen.get("")
def show() -> Response:
    """Show the wizard."""
    view = session().view(viewer(table=True))
    return make_response(render_template("calibrate/page.html", layout="base.html", view=view, role="table"))


@screen.get("/page.pdf")
def page() -> Response:
    """Send the pages to print: `?paper=a4` or `letter`."""
    paper = request.args.get("paper", Paper.A4)
    if paper not in tuple(Paper):
        abort(404)
    response = make_response(pages_pdf(Paper(paper)))
    response.headers["Content-Type"] = "application/pdf"
    response.headers["Content-Disposition"] = f'inline; filename="cheating-moth-{paper}.pdf"'
    return response


@screen.get("/picture.jpg")
def picture() -> Response:
    """Send the newest picture that is newer than `?after=`, waiting a moment for it; 204 where there is none."""
    found = _wizard_or_404()
    view = found.view
    seen = view.wait(request.args.get("after", -1, type=int), LONGEST_WAIT_S) if view else None
    if seen is None:
        return Response(status=204)
    response = make_response(seen.jpeg)
    response.headers["Content-Type"] = "image/jpeg"
    response.headers["X-Number"] = str(seen.number)
    return response


@screen.get("/thumbnail.jpg")
def thumbnail() -> Response:
    """Send one picture of a camera of the list, so that it can be told from the others."""
    found = _wizard_or_404()
    source = request.args.get("source", "")
    if source not in {choice.source for choice in _choices(found)}:
        abort(404)
    seen = found.thumbnail(source)
    if seen is None:
        return Response(status=204)
    response = make_response(seen.jpeg)
    response.headers["Content-Type"] = "image/jpeg"
    return response


@screen.get("/state")
def state() -> Response:
    """Send all that the wizard shows."""
    return _json(_state(_wizard_or_404()))


@screen.get("/layouts/<layout_id>.json")
def export(layout_id: str) -> Response:
    """Send a saved layout as the contract's file."""
    try:
        saved = _wizard_or_404().store.get(layout_id)
    except CompanionError:
        abort(404)
    response = make_response(export_text(saved))
    response.headers["Content-Type"] = "application/json"
    response.headers["Content-Disposition"] = f'attachment; filename="{saved.id}.json"'
    return response


def _act(route: str, act: Callable[[Wizard, dict[str, Any]], dict[str, object] | None]) -> None:
    """Add a POST that acts on the wizard and answers with its new state."""

    def answer() -> Response:
        def once(body: dict[str, Any]) -> dict[str, object]:
            found = wizard()
            more = act(found, body)
            return {**_state(found), **(more or {})}

        return on_tap(once)

    screen.add_url_rule(f"/{route}", route, answer, methods=["POST"])


def _look(found: Wizard, body: dict[str, Any]) -> None:
    width, height = _numbers(body, "size", 2)
    found.look(text(body, "source", LONGEST_SOURCE).strip(), (int(width), int(height)))


def _leave(found: Wizard, _body: dict[str, Any]) -> None:
    found.leave()


def _auto(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    kind = body.get("shape")
    shape = {"round": Shape.ROUND, "rectangle": Shape.RECTANGLE, "square": Shape.RECTANGLE}.get(str(kind))
    proposal = found.place_by_page(shape, _ruler(body))
    return {"sure": proposal.sure, "doubts": [error_sentence(doubt) for doubt in proposal.doubts]}


def _place(found: Wizard, body: dict[str, Any]) -> None:
    flat = _numbers(body, "outline", 8)
    points: list[XY] = [(round(flat[k], 1), round(flat[k + 1], 1)) for k in range(0, 8, 2)]
    found.place(_table(body), (points[0], points[1], points[2], points[3]))


def _start(found: Wizard, _body: dict[str, Any]) -> None:
    found.start_outline()


def _measure(found: Wizard, body: dict[str, Any]) -> None:
    found.measure(_ruler(body))


def _card(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    short, long = _numbers(body, "card_mm", 2)
    if not all(SIDE_MM[0] <= side <= SIDE_MM[1] for side in (short, long)):
        raise CompanionError(mark("A card's side must measure between 20 and 200 mm: measure it again."))
    corners = None
    if body.get("corners") is not None:
        flat = _numbers(body, "corners", 8)
        corners = [(flat[k], flat[k + 1]) for k in range(0, 8, 2)]
    card = found.measure_card((short, long), corners)
    return {"card": [list(corner) for corner in card.corners_px]}


def _seats(found: Wizard, body: dict[str, Any]) -> None:
    players = body.get("players")
    if type(players) is not int or not 2 <= players <= 5:
        raise BadTap(UNREADABLE)
    found.seat(players)


def _move(found: Wizard, body: dict[str, Any]) -> None:
    x, y = _numbers(body, "at", 2)
    what = text(body, "what")
    if what in ("draw", "discard"):
        found.move_pile(what, (x, y))
    elif what.isdigit():
        found.move_seat(int(what), (x, y))
    else:
        raise BadTap(UNREADABLE)


def _hands(found: Wizard, _body: dict[str, Any]) -> None:
    hands = found.find_hands()
    if hands.trouble is not None:
        raise hands.trouble


def _lens(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    if body.get("finish") is True:
        result = found.finish_lens()
        return {"lens": {"reprojection": round(result.reprojection_px, 2), "hfov": round(result.hfov_deg, 1)}}
    progress = found.collect_lens(anew=body.get("anew") is True)
    return {
        "collected": {
            "views": progress.views,
            "cells": progress.cells.tolist(),
            "share": round(progress.share, 2),
            "ready": progress.ready,
            "hint": sentence(progress.hint),
        }
    }


def _save(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    saved = found.save(text(body, "place", 60))
    return {"saved": saved.id}


def _use(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    _layout, moved = found.use(text(body, "id", 60))
    return {"moved": moved}


def _import(found: Wizard, body: dict[str, Any]) -> dict[str, object]:
    saved = found.import_layout(text(body, "text", 200_000), text(body, "place", 60))
    return {"imported": saved.id}


for _route, _action in (
    ("look", _look),
    ("leave", _leave),
    ("auto", _auto),
    ("start", _start),
    ("place", _place),
    ("measure", _measure),
    ("card", _card),
    ("seats", _seats),
    ("move", _move),
    ("hands", _hands),
    ("lens", _lens),
    ("save", _save),
    ("use", _use),
    ("import", _import),
):
    _act(_route, _action)


def _state(found: Wizard) -> dict[str, object]:
    seen, trouble, draft = found.seen, found.trouble, found.draft
    state: dict[str, object] = {
        "source": found.source,
        "source_name": source_name(found.source) if found.source else "",
        "cameras": [{"source": c.source, "name": c.name} for c in _choices(found)],
        "saved_layouts": [_saved(s) for s in found.store.all()[:12]],
        "trouble": error_sentence(trouble) if trouble else "",
        "playing": _playing(),
        "card_mm": list(found.store.card_mm()),
        "draft": None,
    }
    if seen is not None:
        verdict = judge_picture(seen)
        state["picture"] = {
            "size": list(seen.size),
            "fps": seen.fps,
            "light": seen.light,
            "good": verdict.good,
            "sentence": error_sentence(verdict.sentence),
        }
    if draft is not None:
        state["draft"] = _draft(found, draft)
    return state


def _playing() -> bool:
    """Tell whether a game is under way, which the camera does not watch meanwhile."""
    game = session().view(viewer(table=True)).game
    return game is not None and game.phase != Phase.GAME_OVER


def _draft(found: Wizard, draft: Layout) -> dict[str, object]:
    counts = {s.seat: 0 for s in draft.seats}
    for hand in found.hands.hands:
        counts[int(hand["seat"])] = counts.get(int(hand["seat"]), 0) + 1
    verdict = judge(draft, counts if found.searched else None, placed=found.placed)
    table = draft.table
    drawn: dict[str, object] = {
        "image_size": list(draft.image_size),
        "shape": "oval" if table.oval else table.shape.value,
        "width_mm": table.width_mm,
        "depth_mm": table.depth_mm,
        "outline": [list(p) for p in draft.outline_px],
        "calibrated": draft.lens.matrix is not None,
        "verdict": {
            "good": verdict.good,
            "sentence": error_sentence(verdict.sentence),
            "seats": list(verdict.seats),
        },
        "hands": [dict(hand) for hand in found.hands.hands],
        "hand_counts": counts,
        "hands_searched": found.searched,
    }
    try:
        camera = found.camera()
    except LayoutError:
        return drawn
    on_edge = camera.project([(*s.edge_mm, 0.0) for s in draft.seats])
    piles = camera.project([(*draft.discard_mm, 0.0), (*draft.draw_mm, 0.0)])
    curve = outline_curve(draft)
    crops = seat_crops(camera, draft)
    pile = pile_crop(camera, draft)
    drawn |= {
        "seats": [
            {"seat": s.seat, "px": _px(px), "hand_mm": s.hand_mm, "crop": _box(crops[s.seat])}
            for s, px in zip(draft.seats, on_edge, strict=True)
        ],
        "discard": _px(piles[0]),
        "draw": _px(piles[1]),
        "pile_crop": _box(pile),
        "curve": [_px(p) for p in camera.project(np.column_stack([curve, np.zeros(len(curve))]))],
    }
    return drawn


def _choices(found: Wizard) -> tuple[Any, ...]:
    known = [s.camera for s in found.store.all()]
    return cameras(found.sysfs, (found.configured, found.source, *known))


def _saved(saved: SavedLayout) -> dict[str, object]:
    return {
        "id": saved.id,
        "place": saved.place,
        "camera": source_name(saved.camera) if saved.camera else "",
        "source": saved.camera,
        "seats": len(saved.layout.seats),
        "at": saved.saved_at[:10],
    }


def _table(body: dict[str, Any]) -> Table:
    shape = body.get("shape")
    width, depth = _numbers(body, "size_mm", 2)
    if shape == "round":
        return Table(Shape.ROUND, width, width)
    if shape == "square":
        return Table(Shape.RECTANGLE, width, width)
    if shape in ("rectangle", "oval"):
        return Table(Shape.RECTANGLE, width, depth, oval=shape == "oval")
    raise BadTap(UNREADABLE)


def _ruler(body: dict[str, Any]) -> float:
    (ruler,) = _numbers({"ruler": [body.get("ruler", 100.0)]}, "ruler", 1)
    if not 50 <= ruler <= 200:
        raise CompanionError(mark("The page's ruler must measure between 50 and 200 mm: measure it again."))
    return ruler


def _numbers(body: dict[str, Any], name: str, count: int) -> list[float]:
    value = body.get(name)
    if not isinstance(value, list) or len(value) != count:
        raise BadTap(UNREADABLE)
    if any(isinstance(v, bool) or not isinstance(v, int | float) or not abs(v) < 1e6 for v in value):
        raise BadTap(UNREADABLE)
    return [float(v) for v in value]


def _wizard_or_404() -> Wizard:
    try:
        return wizard()
    except NotYours:
        abort(403)
    except CompanionError:
        abort(404)


def _px(point: "np.typing.NDArray[np.float64]") -> list[float] | None:
    return None if np.isnan(point).any() else [round(float(v), 1) for v in point[:2]]


def _box(box: Any) -> list[int]:
    return [box.x0, box.y0, box.x1, box.y1]


def _json(value: dict[str, object]) -> Response:
    response = make_response(json.dumps(value))
    response.headers["Content-Type"] = "application/json"
    return response
