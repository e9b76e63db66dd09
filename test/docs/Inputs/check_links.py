"""check_links.py SITE: fails if a link within the site leads nowhere, if a page
cannot be reached from index.html, or if a page loads anything from elsewhere."""

import html.parser
import pathlib
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.identifiers, self.links, self.loaded = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.identifiers.add(attributes["id"])
        if tag == "a" and attributes.get("href"):
            self.links.append(attributes["href"])
        if tag == "link" and attributes.get("rel") != "canonical":
            self.loaded.append(attributes["href"])
        if attributes.get("src"):
            self.loaded.append(attributes["src"])


root = pathlib.Path(sys.argv[1]).resolve()
pages = {path: Page(path) for path in root.rglob("*.html")}
problems = []


def target_of(path, link):
    """The file that a link within the site means, and the place in it."""
    url = urllib.parse.urlsplit(link)
    name = urllib.parse.unquote(url.path)
    file = root / name.lstrip("/") if name.startswith("/") else path.parent / name
    return (file.resolve() if name else path), url.fragment


reached, waiting = set(), [root / "index.html"]
while waiting:
    path = waiting.pop()
    if path in reached:
        continue
    reached.add(path)
    for link in pages[path].links:
        if urllib.parse.urlsplit(link).scheme:
            continue
        file, place = target_of(path, link)
        if not file.exists():
            problems.append(f"{path.name}: {link} leads nowhere")
        elif file in pages:
            waiting.append(file)
            if place and place not in pages[file].identifiers:
                problems.append(f"{path.name}: {link}: no such place")

for path, page in pages.items():
    if path not in reached and path.name != "404.html":
        problems.append(f"{path.name}: no page leads there")
    for link in page.loaded:
        if urllib.parse.urlsplit(link).netloc or not target_of(path, link)[0].exists():
            problems.append(f"{path.name}: loads {link}")

print("\n".join(problems) or f"{len(reached)} pages, all links resolve")
sys.exit(bool(problems))
