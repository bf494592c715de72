"""The watcher's numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WatcherSettings:
    """How the watcher keeps time. A lost camera is said within 2 s and healed within 5 s of its return."""

    beat_s: float = 0.5
    """Between two heartbeats; the supervisor gives up after four that are missed."""
    tick_s: float = 0.1
    """How soon a change of state is said."""
    no_picture_s: float = 1.5
    """So long without a picture is `lost`; a stream's own timeout is as long."""
    retry_s: float = 1.0
    """Between two tries to open a source; with a stream's 2.5 s to open, back within 5 s."""
    source_hang_s: float = 8.0
    """A driver that does not return for so long hangs: the process ends, and its successor opens it anew."""
    analysis_hang_s: float = 20.0
    """The same for one frame's analysis, which takes 0.1 to 0.3 s on a busy machine."""
    most_hang_s: float = 40.0
    """Each process after one that hung gets twice the patience for both, up to this: opening a file took more than 8 s
    beside ten busy processes on two cores. Below the supervisor's ``well_s``: a process that hangs was never well."""
    close_s: float = 3.0
    """How long closing the source may take before the process ends instead: paused has to mean closed."""
    finish_s: float = 4.5
    """How long clips under way may take when the process is told to stop."""
    unstored_frames: int = 16
    """Frames that may wait for their JPEG: a quarter of a second at 60 frames a second, 44 MB at 720p."""
    fps_over_s: float = 2.0
    """The stretch over which the frame rate is measured."""
    low_fps: float = 15.0
    low_fps_share: float = 0.7
    """Fewer frames a second than this, or than this share of what the camera promised, is said: it is dim light."""
    low_lost_fps: float = 2.0
    """More frames lost a second than this is said: slaps are timed from every frame."""
    failures_to_rebuild: int = 10
    """So many frames in a row whose analysis fails, and the pipeline is made anew."""
    clips_waiting: int = 6
    """Clips that may wait for their encoding; each holds some 20 MB."""
    slaps_back_s: float = 8.0
    """Slaps are over before anyone taps: how far before the tap they are looked for."""
    slaps_after_s: float = 0.3
    """A quick tap comes before the last hand has landed."""
    slaps_around_s: float = 0.4
    """What is kept before the first and after the last contact, for review side by side."""
    slaps_unseen_s: float = 4.0
    """What is kept before the tap where no slap was seen: the table looks for itself."""
    decode_threads: int = 2
    """Threads that decode the pictures looked back at, beside the one that looks: decoding is half of the work."""
    sparing_every_s: float = 0.5
    """How often the analysis looks while slaps are looked for: the players wait for that answer, and hands lost from
    sight for longer look as if they were gone."""
    encode_nice: int = 3
    """Encoding yields to capture, but not much: at 10, beside a busy analysis, the Guard waited 7 s for a clip."""
    drift_every_s: float = 0.5
    """How often it is asked whether the camera was bumped, which must be noticed within 5 s."""
    drift_saved_looks: int = 12
    """So many looks, 6 s, are compared with the picture that the layout was saved with, the next with one of now."""
    drift_nice: int = 5
    """That question costs 15 ms and can wait for everything else."""
    drift_said_s: float = 20.0
    """How long the table is told that the outline was moved after the camera; flags are uncertain meanwhile."""
