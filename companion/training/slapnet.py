"""The slap net: small convolutions over each picture and a few over time, nothing else, so that any length will do."""

from torch import Tensor, nn

from companion.vision.slapstrip import CHANNELS

OUTPUTS = 3
"""Logit that the seat's hand lands here; where between the frames, and the logarithm of that's error."""


def _conv(inputs: int, outputs: int, *, stride: int = 1) -> nn.Sequential:
    layer = nn.Conv3d(inputs, outputs, (1, 3, 3), (1, stride, stride), (0, 1, 1), bias=False)
    return nn.Sequential(layer, nn.BatchNorm3d(outputs), nn.ReLU(inplace=True))


def _in_time(channels: int, *, frames: int = 3, spread: int = 1) -> nn.Sequential:
    around = spread * (frames // 2)
    layer = nn.Conv3d(channels, channels, (frames, 1, 1), 1, (around, 0, 0), dilation=(spread, 1, 1), bias=False)
    return nn.Sequential(layer, nn.BatchNorm3d(channels), nn.ReLU(inplace=True))


class SlapNet(nn.Module):
    """Say for each frame of a seat's strips (n x CHANNELS x frames x 48 x 48) whether its hand lands."""

    def __init__(self, width: int = 24, dropout: float = 0.2) -> None:
        super().__init__()
        a, b, c, d = width, width * 5 // 3, width * 8 // 3, width * 4
        self.stem = nn.Sequential(_conv(CHANNELS, a, stride=2), _conv(a, b, stride=2))
        self.fine = _conv(b, b)
        self.fine_time = _in_time(b)
        self.down = _conv(b, c, stride=2)
        self.middle = _conv(c, c)
        self.middle_time = _in_time(c)
        self.join = nn.Sequential(
            nn.Conv3d(c, d, (1, 6, 6), bias=False), nn.BatchNorm3d(d), nn.ReLU(inplace=True), nn.Dropout(dropout)
        )
        self.time1, self.time2 = _in_time(d, frames=5), _in_time(d, frames=5, spread=2)
        self.out = nn.Conv3d(d, OUTPUTS, 1)

    def forward(self, x: Tensor) -> Tensor:
        """Return the logit, the offset and the logarithm of its error of each frame (n x 3 x frames)."""
        f = self.stem(x)
        f = f + self.fine(f)
        f = f + self.fine_time(f)
        f = self.down(f)
        f = f + self.middle(f)
        f = f + self.middle_time(f)
        f = self.join(f)
        f = f + self.time1(f)
        f = f + self.time2(f)
        return self.out(f)[..., 0, 0]
