"""The registry of what a loop body may be made of."""

from dataclasses import dataclass
from typing import Callable

from .writer import MOST_WORK_PER_ITERATION


@dataclass(frozen=True)
class Ingredient:
    name: str
    write: Callable
    kind: str  # "load", "control" or "update"
    weight: float
    cxx: bool  # only in C++
    serial: bool  # not in OpenMP worksharing loops
    ordered: bool  # updates a variable in iteration order
    hard: bool  # a compiler may well leave such a loop alone
    once: bool  # not within inner loops
    trips: float  # iterations of the inner loop that it writes
    conflicts: bool  # -fheddle-check reports it, though the compiler keeps it whole


REGISTRY = {}


def ingredient(
    kind,
    weight=1.0,
    cxx=False,
    serial=False,
    ordered=False,
    hard=False,
    once=False,
    trips=1.0,
    conflicts=False,
):
    """Registers a function that writes one part of a loop body."""

    def register(write):
        name = write.__name__.replace("_", "-")
        REGISTRY[name] = Ingredient(
            name, write, kind, weight, cxx, serial, ordered, hard, once, trips, conflicts
        )
        return write

    return register


def allowed(writer, item):
    return (
        item.name not in writer.disabled
        and (writer.language == "c++" or not item.cxx)
        and not (item.serial and writer.parallel)
        and (writer.ordered or not item.ordered)
        and not (item.once and writer.loop_level)
        and not (item.trips > 1 and writer.loop_level >= 2)
        and writer.work * item.trips <= MOST_WORK_PER_ITERATION
    )


def write_one(writer, kinds, hard=False):
    """Writes a random ingredient of the given kinds, if any may stand here."""
    candidates = [
        item
        for item in REGISTRY.values()
        if item.kind in kinds and item.hard == hard and allowed(writer, item)
    ]
    if not candidates:
        return
    weights = [item.weight for item in candidates]
    chosen = writer.rng.choices(candidates, weights)[0]
    writer.used.add(chosen.name)
    chosen.write(writer)


def fill(writer, count):
    """Writes the inside of a block: loads first, an update last."""
    deep = writer.depth >= 4
    write_one(writer, {"load"})
    for _ in range(count):
        write_one(writer, {"load", "update"} | (set() if deep else {"control"}))
    write_one(writer, {"update"})
