/*
 * Records digests of a reference server's discovery documents:
 *
 *   kubectl proxy --port 8001 &
 *   node test/record.ts discovery http://127.0.0.1:8001 default
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../../src/discovery/testdata/reference-digests.json', import.meta.url);
const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const [base = '', configuration = ''] = process.argv.slice(2);
if (base === '' || configuration === '') throw new Error('usage: record.ts URL CONFIGURATION');

const recorded = JSON.parse(readFileSync(file, 'utf8')) as { [name: string]: { [document: string]: string } };
const { paths } = JSON.parse(await read('/')) as { paths: string[] };
const digests: { [document: string]: string } = {
  'aggregated /api': digest(await read('/api', aggregatedType)),
  'aggregated /apis': digest(await read('/apis', aggregatedType)),
};
// /api contains the server's address.
for (const path of paths.filter((each) => /^\/(api|apis)(\/|$)/.test(each) && !/^\/api$|\/$/.test(each))) {
  digests[path] = digest(await read(path));
}
writeFileSync(file, `${JSON.stringify({ ...recorded, [configuration]: digests }, null, 2)}\n`);

async function read(path: string, accept = 'application/json'): Promise<string> {
  const response = await fetch(`${base}${path}`, { headers: { accept } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.text();
}

function digest(text: string): string {
  return createHash('sha256').update(text.trimEnd()).digest('base64url').slice(0, 16);
}
