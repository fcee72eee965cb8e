/*
 * Records digests of a reference server's OpenAPI documents, without descriptions:
 *
 *   kubectl proxy --port 8001 &
 *   node test/record.ts openapi http://127.0.0.1:8001 default
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { canonicalDigest } from '../../../src/openapi/testdata/canonical.ts';

const file = new URL('../../../src/openapi/testdata/reference-digests.json', import.meta.url);
const [base = '', configuration = ''] = process.argv.slice(2);
if (base === '' || configuration === '') throw new Error('usage: record.ts URL CONFIGURATION');

const recorded = JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: { [document: string]: string } };
const index = (await read('/openapi/v3')) as { paths: { [path: string]: { serverRelativeURL: string } } };
const digests: { [document: string]: string } = { 'openapi/v2': canonicalDigest(await read('/openapi/v2')) };
for (const [path, { serverRelativeURL }] of Object.entries(index.paths)) {
  digests[path] = canonicalDigest(await read(serverRelativeURL));
}
writeFileSync(file, `${JSON.stringify({ ...recorded, [configuration]: digests }, null, 2)}\n`);

async function read(path: string): Promise<JsonObject> {
  const response = await fetch(`${base}${path}`);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  // Documents of the reference are objects.
  return (await response.json()) as JsonObject;
}
