"""What the compiler says it did to the annotated loops."""

import re
from collections import Counter, defaultdict

REMARK = re.compile(r"^.*?:(\d+):\d+: remark: (.*) \[-Rpass(-missed)?=heddle\]$")
DIRECTIVE = re.compile(r"^\s*#pragma heddle (async|pull)")
FEATURES = re.compile(r"^// Features of (\w+): (.*)$")

# Where, from the directive's line, a remark on its loop may point: to the
# OpenMP directive above it, or to the loop below it.
NEAR = range(-1, 3)


def reason(text):
    """A remark without what is particular to one loop."""
    text = re.sub(r"'[^']*'", "'..'", text)
    return re.sub(r"\b\d+\b", "N", text)


class Coverage:
    """Counts annotated loops by what became of them under optimisation."""

    def __init__(self):
        self.loops = 0
        self.transformed = 0
        self.left_alone = Counter()
        self.feature_loops = defaultdict(Counter)

    def add(self, source, errors):
        """Counts the loops of one compilation from its diagnostics."""
        done, missed = set(), {}
        for line in errors.splitlines():
            match = REMARK.match(line)
            if match and match[3]:
                missed.setdefault(int(match[1]), reason(match[2]))
            elif match:
                done.add(int(match[1]))
        features = []
        for number, line in enumerate(source.splitlines(), 1):
            match = FEATURES.match(line)
            if match:
                features = match[2].split()
            if not DIRECTIVE.match(line):
                continue
            near = [number + distance for distance in NEAR]
            transformed = any(place in done for place in near)
            self.loops += 1
            self.transformed += transformed
            for feature in features:
                self.feature_loops[feature][transformed] += 1
            if not transformed:
                reasons = [missed[place] for place in near if place in missed]
                self.left_alone[reasons[0] if reasons else "no remark"] += 1

    def percentage(self):
        return 100 * self.transformed / max(1, self.loops)

    def summary(self):
        lines = [
            f"annotated loops compiled with optimisation: {self.loops}, "
            f"transformed: {self.transformed} ({self.percentage():.0f} %)"
        ]
        for text, count in self.left_alone.most_common():
            lines.append(f"  left alone {count:5}: {text}")
        return lines

    def feature_table(self):
        """For each feature, the share of its loops that were transformed."""
        for feature, counts in sorted(self.feature_loops.items()):
            total = counts[True] + counts[False]
            yield f"  {100 * counts[True] / total:3.0f} % of {total:5}: {feature}"
