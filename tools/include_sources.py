"""Lets pages of the documentation show files of the repository.

A line `{{ PATH }}` of a page becomes the file, `{{ PATH#SECTION }}` the lines
between two lines of it that are nothing but `//! [SECTION]`, or `!! [SECTION]`
in Fortran, without their common indentation. So what a page shows is what the tests build and run. A hook
of MkDocs, see mkdocs.yml; a file or section that does not exist ends the build.
"""

import pathlib
import re
import textwrap

from mkdocs.exceptions import PluginError

ROOT = pathlib.Path(__file__).parent.parent
INCLUDE = re.compile(r"^\{\{ (\S+?)(?:#(\S+))? \}\}$", re.MULTILINE)
MARK = re.compile(r"^\s*(?://|!)! \[\S+\]\n", re.MULTILINE)


def read(path, section):
    try:
        text = (ROOT / path).read_text()
    except OSError as error:
        raise PluginError(f"{path}: {error.strerror}")
    if section:
        mark = re.compile(rf"^\s*(?://|!)! \[{re.escape(section)}\]\n", re.MULTILINE)
        parts = mark.split(text)
        if len(parts) != 3:
            raise PluginError(f"{path}: expected two lines '//! [{section}]' or '!! [{section}]'")
        text = parts[1]
    return textwrap.dedent(MARK.sub("", text)).strip("\n")


def on_page_markdown(markdown, page, config, files):
    return INCLUDE.sub(lambda match: read(match[1], match[2]), markdown)
