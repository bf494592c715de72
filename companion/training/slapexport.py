"""Write the trained slap net as ONNX, the way OpenCV reads it, and numbers to check the reading by.

One output ``frames`` (n x 3 x frames): logit, offset, logarithm of its error.
"""

import argparse
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch

from companion.training.slapnet import SlapNet
from companion.vision.slapstrip import CHANNELS, SIDE_PX


def fixed_input(frames: int = 12) -> Any:
    """Return an input that anybody can make again without a random number: waves of many lengths."""
    index = np.arange(frames * CHANNELS * SIDE_PX * SIDE_PX, dtype=np.float64)
    return np.sin(index * 0.37 + np.sqrt(index)).reshape(frames, CHANNELS, SIDE_PX, SIDE_PX).astype(np.float32)


def main() -> int:
    """Export weights, and print the net's answer to the fixed input."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("onnx", type=Path)
    args = parser.parse_args()
    state = torch.load(args.weights)
    net = SlapNet(width=state["stem.0.0.weight"].shape[0])
    net.load_state_dict(state)
    net.eval()
    x = torch.from_numpy(fixed_input()).transpose(0, 1)[None].contiguous()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net,
            (x,),
            str(args.onnx),
            dynamo=False,
            input_names=["strips"],
            output_names=["frames"],
            dynamic_axes={"strips": {0: "n", 2: "frames"}, "frames": {0: "n", 2: "frames"}},
        )
    np.set_printoptions(precision=5, suppress=True)
    sys.stdout.write(f"{net(x).detach().numpy()!r}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
