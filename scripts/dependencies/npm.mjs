// Licences and known vulnerabilities of the web app's dependencies: `npm audit` against a stand-in for the registry's
// advisory endpoint, which answers from a dated snapshot (npm-DAY.json, made by `node npm.mjs refresh`), or with what
// the registry itself says now. Ends with a planted licence and a planted advisory that must be found.

import { spawn, spawnSync } from "node:child_process";
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

import { bundled, OUTER } from "./bundled.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const webapp = join(here, "../../webapp");
const ENDPOINT = "/-/npm/v1/security/advisories/bulk";
const LICENCES =
  /^(0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|CC-BY-4\.0|CC0-1\.0|ISC|MIT|MIT-0|MPL-2\.0|OFL-1\.1|Python-2\.0|Unlicense)$/;

const lock = JSON.parse(readFileSync(join(webapp, "package-lock.json"), "utf8"));
const packages = Object.entries(lock.packages).filter(([path]) => path !== "");
const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** The packages whose licence is not allowed; of alternatives one has to be. */
function refused(all) {
  return all
    .filter(([, { license = "none" }]) => !license.replace(/[()]/g, "").split(" OR ").some((one) => LICENCES.test(one)))
    .map(([path, { license }]) => `${nameOf(path)}: ${license ?? "none"}`);
}

/** The advisories for what packages have inside, which `npm audit` does not see. */
function insideOf(advisories) {
  const { satisfies } = createRequire(join(webapp, "package.json"))("semver");
  return bundled().flatMap(({ name, version }) =>
    (advisories[name] ?? [])
      .filter(({ vulnerable_versions: range }) => version !== undefined && satisfies(version, range))
      .map(({ title, url }) => `${name} ${version} inside of ${OUTER}: ${title} (${url})`),
  );
}

/** What the registry knows about every version in the lock file, and inside of packages; undefined if it does not answer. */
async function ask() {
  const versions = {};
  for (const [path, { version }] of packages) (versions[nameOf(path)] ??= []).push(version);
  for (const { name, version } of bundled()) if (version !== undefined) (versions[name] ??= []).push(version);
  const registry = spawnSync("npm", ["config", "get", "registry"], { encoding: "utf8", cwd: webapp }).stdout.trim();
  try {
    const options = {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(versions),
      signal: AbortSignal.timeout(20_000),
    };
    const answer = await fetch(new URL(ENDPOINT, registry), options);
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Runs `npm audit` against these advisories; its exit code and output. */
async function audit(advisories) {
  const server = createServer((request, response) => {
    const body = [];
    request.on("data", (chunk) => body.push(chunk));
    request.on("end", () => {
      if (request.url !== ENDPOINT) return response.writeHead(404).end();
      const sent = Buffer.concat(body);
      const asked = JSON.parse(request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent);
      const known = Object.entries(advisories).filter(([name]) => name in asked);
      return response.setHeader("content-type", "application/json").end(JSON.stringify(Object.fromEntries(known)));
    });
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const child = spawn("npm", ["audit", "--package-lock-only", "--registry", url], { cwd: webapp });
  let output = "";
  child.stdout.on("data", (text) => (output += text));
  child.stderr.on("data", (text) => (output += text));
  const code = await new Promise((ended) => child.on("close", ended));
  server.close();
  return { code, output };
}

function fail(text) {
  console.error(text);
  process.exit(1);
}

const snapshots = () => readdirSync(here).filter((name) => /^npm-.*\.json$/.test(name));

if (process.argv[2] === "refresh") {
  const found = (await ask()) ?? fail("The registry did not answer.");
  for (const name of snapshots()) rmSync(join(here, name));
  const name = `npm-${new Date().toISOString().slice(0, 10)}.json`;
  writeFileSync(join(here, name), `${JSON.stringify(found, null, 2)}\n`);
  console.log(`${name}: ${Object.keys(found).length} packages with advisories`);
  process.exit();
}

const bad = refused(packages);
if (bad.length > 0) fail(`Licences that are not allowed:\n${bad.join("\n")}`);
if (refused([["node_modules/planted", { license: "GPL-2.0-only" }]]).length !== 1) fail("The planted licence was not found.");

const [snapshot] = snapshots();
const known = snapshot ? JSON.parse(readFileSync(join(here, snapshot), "utf8")) : await ask();
if (known === undefined) {
  console.log("Licences of npm packages: nothing found. Advisories: the registry does not tell, and there is no snapshot.");
} else {
  const { code, output } = await audit(known);
  if (code !== 0) fail(output);
  const inside = insideOf(known);
  if (inside.length > 0) fail(inside.join("\n"));
  console.log(`Licences and advisories of npm packages (${snapshot ?? "the registry, now"}): nothing found.`);
}

const planted = [
  { id: 1, url: "planted:1", title: "Planted", severity: "high", vulnerable_versions: "*", cwe: [], cvss: { score: 8, vectorString: null } },
];
const { code, output } = await audit({ react: planted });
if (code === 0 || !output.includes("Planted")) fail(`The planted advisory was not found.\n${output}`);
if (insideOf({ dompurify: planted }).length !== 1) fail("The planted advisory for DOMPurify, inside of Swagger UI, was not found.");
console.log("The planted licence and the planted advisory were found.");
