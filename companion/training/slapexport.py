"""Write the trained slap net as ONNX, the way OpenCV reads it, and numbers to check the reading by.

One output ``frames`` (n x 3 x frames): logit, offset, logarithm of its error.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
import torch

from companion.training.export import waves, write_onnx
from companion.training.slapnet import SlapNet
from companion.vision.slapstrip import CHANNELS, SIDE_PX

FRAMES = 12


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
    x = torch.from_numpy(waves(FRAMES, CHANNELS, SIDE_PX, SIDE_PX)).transpose(0, 1)[None].contiguous()
    write_onnx(net, x, args.onnx, {"strips": {0: "n", 2: "frames"}, "frames": {0: "n", 2: "frames"}})
    np.set_printoptions(precision=5, suppress=True)
    sys.stdout.write(f"{net(x).detach().numpy()!r}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
