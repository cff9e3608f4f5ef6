// node webapp-sbom.mjs: prints what the web app is made of as CycloneDX, from its lock file. `npm sbom` leaves out packages
// that others name as peers, such as React.

import { readFileSync } from "node:fs";

import { bundled, OUTER } from "../dependencies/bundled.mjs";

const lock = JSON.parse(readFileSync(new URL("../../webapp/package-lock.json", import.meta.url), "utf8"));
const used = Object.entries(lock.packages).filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional);

const FOLDER = "node_modules/";
const nameOf = (path) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length);
const idOf = (path) => `${nameOf(path)}@${lock.packages[path].version}`;

// As Node looks a package up: beside the one that needs it, then further out.
function found(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(folder.lastIndexOf(`/${FOLDER}`), 0))) {
    const path = `${folder === "" ? "" : `${folder}/`}${FOLDER}${name}`;
    if (path in lock.packages) return path;
    if (folder === "") return undefined;
  }
}

function dependsOn(path) {
  const { dependencies, peerDependencies } = lock.packages[path];
  const names = Object.keys({ ...dependencies, ...peerDependencies });
  const paths = names.map((name) => found(path, name)).filter((other) => used.some(([known]) => known === other));
  return [...new Set(paths.map(idOf))].sort();
}

// A part of another package, whose lock entry does not name it.
function inside({ name, version }) {
  const purl = `pkg:npm/${name.replace("@", "%40")}${version === undefined ? "" : `@${version}`}`;
  return { type: "library", "bom-ref": `${OUTER}#${name}`, name, ...(version === undefined ? {} : { version }), purl };
}

function component([path, { version, license, integrity }]) {
  const [algorithm, digest] = integrity.split("-");
  return {
    type: "library",
    "bom-ref": idOf(path),
    name: nameOf(path),
    version,
    licenses: [{ expression: license }],
    purl: `pkg:npm/${nameOf(path).replace("@", "%40")}@${version}`,
    hashes: [{ alg: algorithm.toUpperCase().replace("SHA", "SHA-"), content: Buffer.from(digest, "base64").toString("hex") }],
    ...(nameOf(path) === OUTER ? { components: bundled().map(inside) } : {}),
  };
}

const unique = (list) => [...new Map(list.map((item) => [item["bom-ref"] ?? item.ref, item])).values()];
const { name, version, license } = lock.packages[""];
const app = `${name}@${version}`;
const bom = {
  $schema: "http://cyclonedx.org/schema/bom-1.5.schema.json",
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    timestamp: new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1000).toISOString(),
    component: { type: "application", "bom-ref": app, name, version, licenses: [{ expression: license }] },
  },
  components: unique(used.map(component)),
  dependencies: [
    { ref: app, dependsOn: dependsOn("") },
    ...unique(used.map(([path]) => ({ ref: idOf(path), dependsOn: dependsOn(path) }))),
  ],
};
process.stdout.write(`${JSON.stringify(bom, null, 1)}\n`);
