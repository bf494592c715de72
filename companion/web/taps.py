"""Answers by tap id, so that a tap that was sent twice over bad Wi-Fi acts once and is answered twice alike."""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from threading import Lock

LONGEST_TAP_ID = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tap is answered: an HTTP status and the JSON beside it."""

    status: int
    body: dict[str, object]


@dataclass(slots=True)
class TapMemory:
    """The answers to the last taps, oldest forgotten first."""

    size: int
    _answers: OrderedDict[tuple[str, str], Answer] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def once(self, device: str, tap: str, act: Callable[[], Answer]) -> Answer:
        """Act and remember the answer, or return the answer remembered for this device's tap.

        One tap at a time: the second sending of a tap waits for the first and gets the same answer.
        """
        with self._lock:
            key = (device, tap)
            if tap and key in self._answers:
                return self._answers[key]
            answer = act()
            # What failed on this side (a full disk) is tried again when the tap comes again.
            if tap and answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                self._answers[key] = answer
                while len(self._answers) > self.size:
                    self._answers.popitem(last=False)
            return answer
