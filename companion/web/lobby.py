"""The first screen: join by QR code, pick what this screen is."""

from flask import Blueprint, render_template

screen = Blueprint("lobby", __name__)


@screen.get("/")
def show() -> str:
    """Show the ways into the game."""
    return render_template("lobby/page.html")
