#!/usr/bin/env python3
"""Checks the built site: check_site.py SITE

Every address inside it leads to a file and an anchor of it, nothing is fetched from a network, and
every page can be reached from the first one.
"""
import html.parser
import pathlib
import sys
import urllib.parse

FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}


class Page(html.parser.HTMLParser):
    def __init__(self, file):
        super().__init__()
        self.ids, self.links, self.fetched = set(), [], []
        self.feed(file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if values.get(FETCHED.get(tag)):
            self.fetched.append(values[FETCHED[tag]])


def check(site):
    pages = {file: Page(file) for file in site.rglob("*.html")}
    entry = site / "index.html"
    home = site / "docs" / "README.html"
    reached, faults = {entry, home}, []
    for required in (entry, home, site / "searchindex.js"):
        if not required.is_file():
            faults.append(f"{required}: missing")
    waiting = [home]
    while waiting:
        file = waiting.pop()
        for address in pages[file].links + pages[file].fetched:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in pages[file].fetched:
                    faults.append(f"{file.relative_to(site)}: fetches {address}")
                continue
            target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
            if not target.is_file():
                faults.append(f"{file.relative_to(site)}: {address} leads nowhere")
            elif parts.fragment and target in pages and parts.fragment not in pages[target].ids:
                faults.append(f"{file.relative_to(site)}: {address} has no such anchor")
            if target in pages and target not in reached:
                reached.add(target)
                waiting.append(target)
    faults += [f"{file.relative_to(site)}: no page leads here" for file in set(pages) - reached]
    return sorted(set(faults)), len(pages)


if __name__ == "__main__":
    faults, pages = check(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(faults) or f"{pages} pages, no fault")
    sys.exit(1 if faults else 0)
