"""The printed pages as a PDF, drawn as vectors so that they are true to scale on any printer."""

from datetime import UTC, datetime
from enum import StrEnum

import numpy as np
from fpdf import FPDF

from companion.vision.markers import LENS_BOARD, TABLE_PAGE, charuco_board, marker_cells

RULER_MM = 100.0
_DRAWN = datetime(2026, 1, 1, tzinfo=UTC)
"""A fixed date, so that the same version always writes the same file."""


class Paper(StrEnum):
    """The two sizes that home printers take."""

    A4 = "a4"
    LETTER = "letter"


def pages_pdf(paper: Paper) -> bytes:
    """Write the table page and, on a second sheet, the lens board, true to scale, each with a ruler to check the print.

    Both are centred on the sheet and the same on either paper, so that detection need not know which was used.
    """
    pdf = FPDF(unit="mm", format=paper.value)
    pdf.set_creation_date(_DRAWN)
    pdf.set_title("Cheating Moth: table page and lens board")
    pdf.set_auto_page_break(False)
    pdf.set_margin(0)
    _table_page(pdf)
    _lens_board(pdf)
    return bytes(pdf.output())


def _table_page(pdf: FPDF) -> None:
    pdf.add_page()
    middle_x, middle_y = pdf.w / 2, pdf.h / 2
    for marker, square in TABLE_PAGE.corners_mm().items():
        left, top = middle_x + square[0, 0], middle_y - square[0, 1]
        _squares(pdf, marker_cells(marker), left, top, TABLE_PAGE.marker_mm)
    _words(pdf, TABLE_PAGE.size_mm[1], "Table page: lay it flat near the middle of the table.")


def _lens_board(pdf: FPDF) -> None:
    pdf.add_page()
    board = LENS_BOARD
    width, height = board.size_mm
    left, top = (pdf.w - width) / 2, (pdf.h - height) / 2
    chess = np.indices((board.rows, board.columns)).sum(axis=0) % 2 == 0
    for row, column in np.argwhere(chess):
        _square(pdf, left + column * board.square_mm, top + row * board.square_mm, board.square_mm)
    for marker, corners in zip(charuco_board().getIds(), charuco_board().getObjPoints(), strict=True):
        x, y = float(corners[0][0]), float(corners[0][1])
        _squares(pdf, marker_cells(int(marker)), left + x, top + y, board.marker_mm)
    _words(pdf, height, "Lens board: glue it to stiff card, then wave it slowly before the camera.")


def _squares(pdf: FPDF, black: "np.typing.NDArray[np.bool_]", left: float, top: float, side: float) -> None:
    cell = side / black.shape[0]
    for row, cells in enumerate(black):
        for start, end in _runs(cells):
            # Whole rows in one rectangle, each a hair taller: viewers draw white seams between touching shapes.
            overlap = 0.02 if row < len(black) - 1 else 0.0
            pdf.rect(left + start * cell, top + row * cell, (end - start) * cell, cell + overlap, style="F")


def _square(pdf: FPDF, left: float, top: float, side: float) -> None:
    pdf.rect(left, top, side, side, style="F")


def _runs(cells: "np.typing.NDArray[np.bool_]") -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[0], cells.astype(np.int8), [0]])))
    return [(int(start), int(end)) for start, end in edges.reshape(-1, 2)]


def _words(pdf: FPDF, field_mm: float, sentence: str) -> None:
    """Put one sentence above the markers and a ruler below them, within the margins both papers leave."""
    above = (pdf.h - field_mm) / 2
    below = pdf.h - above
    pdf.set_font("Helvetica", size=9)
    pdf.set_xy(0, above - 8)
    pdf.cell(w=pdf.w, h=4, text=sentence, align="C")
    left, y = (pdf.w - RULER_MM) / 2, below + 6
    pdf.set_line_width(0.25)
    pdf.line(left, y, left + RULER_MM, y)
    for at in range(0, int(RULER_MM) + 1, 10):
        tick = 2.5 if at % 50 == 0 else 1.5
        pdf.line(left + at, y - tick, left + at, y)
    pdf.set_font("Helvetica", size=8)
    pdf.set_xy(0, y + 0.8)
    words = "Print at 100 % (actual size): this line measures 100 mm. If not, tell the wizard what it measures."
    pdf.cell(w=pdf.w, h=4, text=words, align="C")
