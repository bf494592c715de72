"""Write the trained net as ONNX, the way OpenCV reads it, and numbers to check the reading by.

Two outputs: ``answers`` (seats x 10), and ``spots`` (seats x 2 x 12 x 12 logits: where the left and right hands are).
"""

import argparse
import math
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from companion.training.net import SeatNet
from companion.vision.seatnet import ANSWERS, SPOTS
from companion.vision.seatview import CHANNELS, SIDE_PX


def waves(*shape: int) -> Any:
    """Return an input that anybody can make again without a random number: waves of many lengths."""
    index = np.arange(math.prod(shape), dtype=np.float64)
    return np.sin(index * 0.37 + np.sqrt(index)).reshape(shape).astype(np.float32)


def write_onnx(net: torch.nn.Module, x: torch.Tensor, path: Path, axes: dict[str, dict[int, str]]) -> None:
    """Write a net as ONNX; ``axes``: the name of the input, then those of the outputs, with what may vary in length."""
    names = list(axes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net, (x,), str(path), dynamo=False, input_names=names[:1], output_names=names[1:], dynamic_axes=axes
        )


def main() -> int:
    """Export weights, and print the net's answer to the fixed input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("onnx", type=Path)
    args = parser.parse_args()
    state = torch.load(args.weights)
    net = SeatNet(width=state["stem.0.0.weight"].shape[0])
    net.load_state_dict(state)
    net.eval()
    x = torch.from_numpy(waves(2, CHANNELS, SIDE_PX, SIDE_PX))
    write_onnx(net, x, args.onnx, {name: {0: "n"} for name in ("seats", ANSWERS, SPOTS)})
    answers, spots = (out.detach().numpy() for out in net(x))
    np.set_printoptions(precision=5, suppress=True)
    # of each map its largest value, where that is, and its mean say enough
    sums = [[m.max(), m.argmax(), m.mean()] for m in spots.reshape(-1, spots[0, 0].size)]
    sys.stdout.write(f"{answers!r}\n{np.array(sums)!r}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
