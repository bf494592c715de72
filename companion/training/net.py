"""The seat net: plain small convolutions, and heads that also learn where the hands are and how high."""

import torch
from torch import Tensor, nn

from companion.vision.seatview import CHANNELS

KIND_OUTPUTS = 5
"""left hand below, right hand below, sleeve movement, behind the head, card drop."""
HEIGHTS, REACHES = 2, 2
RAISED = 1
"""Whether a hand is raised, whichever it is."""


def _conv(inputs: int, outputs: int, stride: int = 1, spread: int = 1) -> nn.Sequential:
    layer = nn.Conv2d(inputs, outputs, 3, stride, spread, dilation=spread, bias=False)
    return nn.Sequential(layer, nn.BatchNorm2d(outputs), nn.ReLU(inplace=True))


class SeatNet(nn.Module):
    """Say from one seat's input what goes on: logits of the kinds; beside them, in training, where the hands are."""

    def __init__(self, width: int = 24, dropout: float = 0.25) -> None:
        super().__init__()
        a, b, c, d = width, width * 5 // 3, width * 8 // 3, width * 4
        self.stem = nn.Sequential(_conv(CHANNELS, a, 2), _conv(a, b, 2))
        self.fine = _conv(b, b)
        self.down = _conv(b, c, 2)
        self.middle1, self.middle2 = _conv(c, c), _conv(c, c)
        self.spots = nn.Conv2d(c, 2, 1)
        self.around = _conv(c, 32, spread=3)
        self.hand = nn.Sequential(nn.Conv2d(c + 32, 48, 1), nn.ReLU(inplace=True), nn.Conv2d(48, 2, 1))
        self.coarse = nn.Sequential(_conv(c, d, 2), _conv(d, d))
        self.squeeze = nn.Conv2d(d, 12, 1)
        self.join = nn.Sequential(nn.Linear(2 * c + d + 12 * 36, 96), nn.ReLU(inplace=True), nn.Dropout(dropout))
        self.out = nn.Linear(96, KIND_OUTPUTS + HEIGHTS + REACHES + RAISED)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Return kinds, heights, reaches, raised (batch x 10), and both hands' places (batch x 2 x 12 x 12): logits."""
        f = self.trunk(x)
        spots = self.spots(f)
        n, c, h, w = f.shape
        weight = torch.softmax(spots.reshape(n, 2, h * w), dim=2)
        flat = f.reshape(n, c, h * w).transpose(1, 2)
        at_hands = torch.matmul(weight, flat).reshape(n, 2 * c)
        lows = self.lows(f, weight)
        g = self.coarse(f)
        whole = g.mean(dim=(2, 3))
        rest = torch.relu(self.squeeze(g)).reshape(n, -1)
        out = self.out(self.join(torch.cat([at_hands, whole, rest], dim=1)))
        below, acts, height, reach = out[:, :2], out[:, 2:5], out[:, 5:7], out[:, 7:]
        return torch.cat([below + lows[:, :2], acts, height + lows[:, 2:], reach], dim=1), spots

    def trunk(self, x: Tensor) -> Tensor:
        """Return the features (batch x c x 12 x 12) that all heads share."""
        f = self.stem(x)
        f = f + self.fine(f)
        f = self.down(f)
        f = f + self.middle1(f)
        return f + self.middle2(f)

    def lows(self, f: Tensor, weight: Tensor) -> Tensor:
        """Return both hands' logits of below, and both heights (batch x 4).

        They are read off one map at both hands' places: what a left hand teaches holds for a right one.
        """
        n, _, h, w = f.shape
        hand = self.hand(torch.cat([f, self.around(f)], dim=1)).reshape(n, 2, h * w).transpose(1, 2)
        return torch.matmul(weight.detach(), hand).transpose(1, 2).reshape(n, 4)
