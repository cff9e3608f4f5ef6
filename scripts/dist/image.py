#!/usr/bin/env python3
"""image.py ROOT GNU FILE: an OCI image layout as a tar archive, made without a daemon.

ROOT is what `stage` filled, GNU the name of the machine's libraries, such as aarch64-linux-gnu. The image has two
layers: the C library with certificates and a user, and the programs. Needs ARCH, VERSION and SOURCE_DATE_EPOCH.
"""

import gzip
import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tarfile
from datetime import datetime, timezone
from pathlib import Path

ARCH, VERSION, EPOCH = os.environ["ARCH"], os.environ["VERSION"], int(os.environ["SOURCE_DATE_EPOCH"])
CREATED = datetime.fromtimestamp(EPOCH, timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
USER = 65532
DATA = "var/lib/morpion"
SECOND = 1_000_000_000


class Layer:
    """A tar archive whose bytes depend on nothing but what is put into it, in this order."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        self.tar = tarfile.open(fileobj=self.bytes, mode="w", format=tarfile.GNU_FORMAT)
        self.folders: set[str] = set()

    def _add(self, path: str, kind: bytes, mode: int, content: bytes = b"", target: str = "", user: int = 0) -> None:
        entry = tarfile.TarInfo(path)
        entry.type, entry.mode, entry.size, entry.linkname = kind, mode, len(content), target
        entry.uid = entry.gid = user
        entry.mtime = EPOCH
        self.tar.addfile(entry, io.BytesIO(content))

    def _make_parent(self, path: str) -> None:
        parent = os.path.dirname(path)
        if parent and parent not in self.folders:
            self.folder(parent)

    def folder(self, path: str, mode: int = 0o755, user: int = 0) -> None:
        self._make_parent(path)
        self.folders.add(path)
        self._add(path, tarfile.DIRTYPE, mode, user=user)

    def file(self, path: str, content: bytes, mode: int = 0o644) -> None:
        self._make_parent(path)
        self._add(path, tarfile.REGTYPE, mode, content)

    def link(self, path: str, target: str) -> None:
        self._make_parent(path)
        self._add(path, tarfile.SYMTYPE, 0o777, target=target)

    def close(self) -> bytes:
        self.tar.close()
        return self.bytes.getvalue()


def elf(option: str, program: Path) -> str:
    return subprocess.run(["readelf", "--wide", option, program], check=True, capture_output=True, text=True).stdout


def libraries(programs: list[Path], gnu: str) -> dict[str, Path]:
    """Every shared library that the programs need, by its name."""
    places = [Path(f"/usr/{gnu}/lib"), Path(f"/usr/lib/{gnu}")]
    found: dict[str, Path] = {}
    waiting = list(programs)
    while waiting:
        for name in re.findall(r"\(NEEDED\).*\[(.+)\]", elf("--dynamic", waiting.pop())):
            if name in found:
                continue
            path = next((place / name for place in places if (place / name).exists()), None)
            if path is None:
                sys.exit(f"The library {name} is not installed for {gnu}.")
            found[name] = path.resolve()
            waiting.append(path)
    return found


def base(programs: list[Path], gnu: str) -> bytes:
    layer = Layer()
    interpreter = re.search(r"interpreter: /(.+)\]", elf("--program-headers", programs[0])).group(1)
    loader = os.path.basename(interpreter)
    found = libraries(programs, gnu)
    for name in sorted(found):
        layer.file(f"lib/{gnu}/{name}", found[name].read_bytes(), 0o755)
    layer.link(interpreter, f"/lib/{gnu}/{loader}")
    layer.file("etc/ssl/certs/ca-certificates.crt", Path("/etc/ssl/certs/ca-certificates.crt").read_bytes())
    layer.file("etc/passwd", f"root:x:0:0:root:/:/\nmorpion:x:{USER}:{USER}:Morpion:/{DATA}:/\n".encode())
    layer.file("etc/group", f"root:x:0:\nmorpion:x:{USER}:\n".encode())
    layer.file("etc/nsswitch.conf", b"hosts: files dns\n")
    for package in ("ca-certificates", "libc6", "libgcc-s1"):
        licence = Path(f"/usr/share/doc/{package}/copyright")
        layer.file(f"usr/share/doc/{package}/copyright", licence.read_bytes())
    layer.folder("tmp", 0o1777)
    return layer.close()


def programs_layer(root: Path, programs: list[Path]) -> bytes:
    layer = Layer()
    for program in programs:
        layer.file(f"usr/bin/{program.name}", program.read_bytes(), 0o755)
    for name in ("copyright", "THIRD-PARTY.txt.gz"):
        layer.file(f"usr/share/doc/morpion/{name}", (root / "usr/share/doc/morpion" / name).read_bytes())
    layer.folder(DATA, 0o700, USER)
    return layer.close()


class Layout:
    """The archive: blobs by their digest, and the index that leads to them."""

    def __init__(self, file: Path) -> None:
        self.archive = Layer()
        self.file = file
        self.archive.file("oci-layout", json_bytes({"imageLayoutVersion": "1.0.0"}))

    def blob(self, kind: str, content: bytes) -> dict:
        digest = hashlib.sha256(content).hexdigest()
        self.archive.file(f"blobs/sha256/{digest}", content)
        return {"mediaType": f"application/vnd.oci.image.{kind}", "digest": f"sha256:{digest}", "size": len(content)}

    def close(self, manifest: dict) -> None:
        # A tag has no tilde. The names are what Podman and Docker call it.
        name = "morpion:" + VERSION.replace("~", "-").replace("+", "-")
        names = {"org.opencontainers.image.ref.name": name, "io.containerd.image.name": f"docker.io/library/{name}"}
        entry = {**manifest, "platform": {"architecture": ARCH, "os": "linux"}, "annotations": names}
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]}
        self.archive.file("index.json", json_bytes(index))
        self.file.write_bytes(self.archive.close())


def json_bytes(value: dict) -> bytes:
    return json.dumps(value, indent=1, sort_keys=True).encode()


def image_config(layers: list[bytes], labels: dict) -> dict:
    return {
        "created": CREATED,
        "architecture": ARCH,
        "os": "linux",
        "config": {
            "User": f"{USER}:{USER}",
            "Env": ["PATH=/usr/bin", f"MORPION_DATA_DIR=/{DATA}", "MORPION_SERVER__LISTEN=0.0.0.0:8080"],
            "Entrypoint": ["/usr/bin/morpion"],
            "Cmd": ["serve"],
            "WorkingDir": f"/{DATA}",
            "ExposedPorts": {"8080/tcp": {}},
            "Volumes": {f"/{DATA}": {}},
            "StopSignal": "SIGTERM",
            "Labels": labels,
            # Docker reads it; others take it as an option.
            "Healthcheck": {
                "Test": ["CMD", "/usr/bin/morpion", "ready"],
                "Interval": 30 * SECOND,
                "Timeout": 10 * SECOND,
                # A start may migrate the data.
                "StartPeriod": 300 * SECOND,
                "Retries": 3,
            },
        },
        "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(layer).hexdigest()}" for layer in layers]},
        "history": [{"created": CREATED, "created_by": "scripts/dist/image.py"} for _ in layers],
    }


def main() -> None:
    root, gnu, file = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    programs = sorted((root / "usr/bin").iterdir())
    layers = [base(programs, gnu), programs_layer(root, programs)]
    labels = {
        "org.opencontainers.image.title": "Morpion",
        "org.opencontainers.image.version": VERSION,
        "org.opencontainers.image.created": CREATED,
        "org.opencontainers.image.licenses": "AGPL-3.0-or-later",
    }
    layout = Layout(file)
    config = layout.blob("config.v1+json", json_bytes(image_config(layers, labels)))
    packed = [layout.blob("layer.v1.tar+gzip", gzip.compress(layer, 6, mtime=0)) for layer in layers]
    manifest = {
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config,
        "layers": packed,
        "annotations": labels,
    }
    layout.close(layout.blob("manifest.v1+json", json_bytes(manifest)))


main()
