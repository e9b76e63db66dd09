#!/usr/bin/env python3
"""Prints random programs of the differential test."""

import argparse
import sys

from programs.program import FEATURES, generate


def feature_set(text):
    names = frozenset(name for name in text.split(",") if name)
    unknown = sorted(names - set(FEATURES))
    if unknown:
        raise argparse.ArgumentTypeError(
            f"no feature is called {', '.join(unknown)}; see generate.py --features"
        )
    return names


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=1, help="with this seed and the next")
    parser.add_argument("--language", choices=["c", "c++"], help="default: by the seed")
    parser.add_argument("--loops", type=int, help="annotated loops; default: by the seed")
    parser.add_argument(
        "--without",
        type=feature_set,
        default=frozenset(),
        metavar="FEATURE,...",
        help="leave these features out",
    )
    parser.add_argument("--features", action="store_true", help="list the features")
    options = parser.parse_args()
    if options.features:
        print("\n".join(FEATURES))
        return 0
    for seed in range(options.seed, options.seed + options.programs):
        program = generate(seed, options.language, options.without, options.loops)
        sys.stdout.write(program.source)
    return 0


if __name__ == "__main__":
    sys.exit(main())
