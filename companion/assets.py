"""The data folders, in a checkout or in a wheel."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_assets"
_ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent

WEB_UI, MODELS, CALIBRATION = (_ROOT / name for name in ("web_ui", "models", "calibration"))
