"""notices.py TRIPLE: prints the licences of all that the programs for this machine and the web app contain: each text once,
after the names of those that are under it. A package without a text in its archive is named with its licence's identifier."""

import json
import pathlib
import re
import subprocess
import sys

NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.IGNORECASE)
NO_TEXT = {".rs", ".js", ".mjs", ".ts", ".py", ".json", ".html", ".png"}


def texts(folder):
    files = (file for file in sorted(folder.iterdir()) if NAMES.match(file.name) and file.suffix not in NO_TEXT)
    for file in files:
        for part in sorted(file.iterdir()) if file.is_dir() else [file]:
            if part.is_file():
                yield "\n".join(line.rstrip() for line in part.read_text("utf-8", "replace").strip().splitlines())


def crates(triple):
    """Those that are linked: neither the ones of tests nor the ones of build scripts."""
    metadata = json.loads(
        subprocess.check_output(
            ["cargo", "metadata", "--locked", "--offline", "--format-version", "1", "--filter-platform", triple]
        )
    )
    packages = {package["id"]: package for package in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting, linked = [key for key, package in packages.items() if package["name"] in ("morpion-appliance", "morpion-tui")], set()
    while waiting:
        node = nodes[waiting.pop()]
        if node["id"] in linked:
            continue
        linked.add(node["id"])
        waiting += [
            needed["pkg"] for needed in node["deps"] if any(kind["kind"] is None for kind in needed["dep_kinds"])
        ]
    for key in linked:
        package = packages[key]
        if package["source"]:
            folder = pathlib.Path(package["manifest_path"]).parent
            yield f"{package['name']} {package['version']}", package["license"] or "see its text", folder


def modules():
    lock = json.loads(pathlib.Path("webapp/package-lock.json").read_text())
    for path, package in lock["packages"].items():
        if path and not package.get("dev") and not package.get("devOptional"):
            yield f"{path.rpartition('node_modules/')[2]} {package['version']}", package["license"], pathlib.Path("webapp") / path


def main():
    under, without = {}, []
    for name, licence, folder in sorted({*crates(sys.argv[1]), *modules()}):
        found = set(texts(folder))
        for text in found:
            under.setdefault(text, []).append(name)
        if not found:
            without.append(f"{name}: {licence}")
    if not under:
        sys.exit("No package has a licence.")
    print("Morpion contains the following packages, under these licences.")
    for text, names in sorted(under.items(), key=lambda item: item[::-1]):
        print(f"\n{'=' * 100}\n" + "\n".join(names) + f"\n{'-' * 100}\n{text}")
    print(f"\n{'=' * 100}\nWithout a text in their archives; their licences by their SPDX identifiers:\n" + "\n".join(without))


main()
