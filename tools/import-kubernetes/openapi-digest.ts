// Digests of the OpenAPI schemas by package: small enough to keep, sensitive to any change.
// Run with a file of recorded schemas, it writes testdata/openapi-digests.json, with which the unit test compares the
// table.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { normalizePublished } from './check-openapi.ts';
import { canonicalJson, digest } from './digest.ts';
import type { OpenApiSchema } from './openapi-source.ts';

export const digestsFile = join(import.meta.dirname, 'testdata/openapi-digests.json');

/** First 16 hexadecimal digits of the SHA-256 over the schemas of each package, by package prefix. */
export function digestByPackage(schemas: Iterable<readonly [string, OpenApiSchema]>): { [prefix: string]: string } {
  const lines = new Map<string, string[]>();
  for (const [name, schema] of schemas) {
    const prefix = name.slice(0, name.lastIndexOf('.'));
    const line = `${name} ${canonicalJson(schema)}`;
    lines.set(prefix, [...(lines.get(prefix) ?? []), line]);
  }
  const digests = [...lines].map(([prefix, each]) => [prefix, digest(each.sort().join('\n'))] as const);
  return Object.fromEntries(digests.sort(([a], [b]) => (a < b ? -1 : 1)));
}

if (import.meta.main) {
  // Recorded from a running server, of a known shape.
  const recorded = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as { [name: string]: OpenApiSchema };
  const schemas = Object.entries(recorded).map(([name, schema]) => [name, normalizePublished(schema)] as const);
  writeFileSync(digestsFile, `${JSON.stringify(digestByPackage(schemas), null, 2)}\n`);
}
