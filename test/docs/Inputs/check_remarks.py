"""check_remarks.py DOCS OUTPUT...: fails if a page quotes a remark, with a file
and a line, of an example in OUTPUT that is not in it. Pages break lines."""

import pathlib
import re
import sys

REMARK = re.compile(r"^(\w+\.c(?:pp)?:\d+:\d+: remark: .*?)(?: \[-R|\n```|\n +\d+ \|)", re.M | re.S)

said = " ".join(pathlib.Path(name).read_text() for name in sys.argv[2:])
files = set(re.findall(r"^(\w+\.c(?:pp)?):", said, re.M))
quoted = 0
for page in sorted(pathlib.Path(sys.argv[1]).glob("*.md")):
    for remark in REMARK.findall(page.read_text()):
        remark = " ".join(remark.split())
        if remark.split(":")[0] in files:
            quoted += 1
            if remark not in said:
                sys.exit(f"{page.name}: {remark}: the compiler does not say that")
if quoted < len(files):
    sys.exit(f"expected a quotation from each of {sorted(files)}, found {quoted}")
