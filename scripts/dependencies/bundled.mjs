// What a package of the web app has inside without naming it in the lock file: Swagger UI comes as one script.

import { readFileSync } from "node:fs";

const script = new URL("../../webapp/node_modules/swagger-ui-dist/swagger-ui-bundle.js", import.meta.url);

/** The package that has others inside. */
export const OUTER = "swagger-ui-dist";

/** Names of the packages inside, with the version of those that say it: of DOMPurify, which keeps strangers' markup out. */
export function bundled() {
  const { sources } = JSON.parse(readFileSync(new URL(`${script}.map`), "utf8"));
  const nameOf = (source) => [...source.matchAll(/node_modules\/((?:@[^/]+\/)?[^/]+)\//g)].pop()?.[1];
  const names = [...new Set(sources.map(nameOf).filter((name) => name !== undefined))].sort();
  const version = /DOMPurify\.version="([^"]+)"/.exec(readFileSync(script, "utf8"))?.[1];
  if (!names.includes("dompurify") || version === undefined) throw new Error("Swagger UI does not say which DOMPurify it has.");
  return names.map((name) => (name === "dompurify" ? { name, version } : { name }));
}
