"""Write the trained net as ONNX, the way OpenCV reads it, and numbers to check the reading by."""

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from companion.training.net import SeatNet
from companion.vision.seatview import CHANNELS, SIDE_PX


class _Answers(nn.Module):
    """The net without the hands' places, which are only learnt from."""

    def __init__(self, net: SeatNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, x: Tensor) -> Any:
        return self.net(x)[0]


def fixed_input(count: int = 2) -> Any:
    """Return inputs that anybody can make again without a random number: waves of many lengths."""
    index = np.arange(count * CHANNELS * SIDE_PX * SIDE_PX, dtype=np.float64)
    return np.sin(index * 0.37 + np.sqrt(index)).reshape(count, CHANNELS, SIDE_PX, SIDE_PX).astype(np.float32)


def main() -> int:
    """Export weights, and print the net's answer to the fixed input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("onnx", type=Path)
    args = parser.parse_args()
    state = torch.load(args.weights)
    net = SeatNet(width=state["stem.0.0.weight"].shape[0])
    net.load_state_dict(state)
    answers = _Answers(net).eval()
    x = torch.from_numpy(fixed_input())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            answers,
            (x,),
            str(args.onnx),
            dynamo=False,
            input_names=["seats"],
            output_names=["answers"],
            dynamic_axes={"seats": {0: "n"}, "answers": {0: "n"}},
        )
    np.set_printoptions(precision=5, suppress=True)
    sys.stdout.write(repr(answers.eval()(x).detach().numpy()) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
