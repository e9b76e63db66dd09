"""Ingredients that leave the annotated loop before its end."""

from .ingredients import ingredient
from .outputs import walk_to_match


def leave(w, condition):
    """Leaves the annotated loop if the condition holds."""
    may_break = len(w.frames) == 1 and not w.loop_level
    if may_break and (w.chance(0.5) or not w.may_jump_out):
        w.line(f"if ({condition})")
        w.line("  break;")
    elif w.may_jump_out:
        label = w.fresh("left")
        w.line(f"if ({condition})")
        w.line(f"  goto {label};")
        w.after.insert(0, f"{label}:;")


def rarely(w):
    return f"{w.value()} % {w.number_between(20, 2000)}u == 1"


@ingredient("load", serial=True, weight=1.2, once=True)
def early_exit(w):
    """Where the ingredients before have got to, perhaps under a condition."""
    leave(w, rarely(w))


@ingredient("load", serial=True, weight=0.6, once=True, trips=3)
def first_match(w):
    """A search that ends with the first match."""
    node = walk_to_match(w)
    leave(w, f"{node} && {rarely(w)}")


@ingredient("load", serial=True, weight=1.2, once=True, trips=3)
def exit_from_walk(w):
    """Out of an inner loop that goes from node to node or through a table."""
    if not w.may_jump_out:
        return
    label = w.fresh("left")
    if w.chance(0.5):
        node = w.fresh("node")
        head = f"buckets[({w.expression(1)}) % BUCKETS]"
        with w.inner_loop(f"for (const Node *{node} = {head}; {node}; {node} = {node}->next)", 3):
            w.line(f"if (({node}->key + {node}->value) % {w.number_between(20, 2000)}u == 1)")
            w.line(f"  goto {label};")
    else:
        low, high, key = w.fresh("low"), w.fresh("high"), w.fresh("key")
        w.line(f"uint32_t {low} = 0, {high} = ELEMENTS;")
        w.line(f"const uint64_t {key} = ({w.expression(1)}) % ELEMENTS;")
        with w.block(f"while ({low} < {high})"):
            w.line(f"const uint32_t middle = ({low} + {high}) / 2;")
            w.line(f"if (rowBegin[middle] < {key})")
            w.line(f"  {low} = middle + 1;")
            w.line("else")
            w.line(f"  {high} = middle;")
            w.line(f"if (rowBegin[middle] == {key} && {key} % {w.number_between(5, 50)}u == 3)")
            w.line(f"  goto {label};")
    w.after.insert(0, f"{label}:;")
