// Records the reference's Tables as test data of `src/resources`.
// Usage: node test/record.ts tables KUBECONFIG
// The reference must be fresh and serve everything: `--runtime-config=api/all=true
// --feature-gates=AllAlpha=true,AllBeta=true`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { type CatalogEntry, readCatalog, resourcePath } from './catalog.ts';
import { recordTable } from './table-row.ts';
import { ReferenceClient } from './reference-client.ts';
import type { Sample } from './sample.ts';
import { sampleFiles } from './samples/sample-files.ts';

const testdata = join(import.meta.dirname, '../../../src/resources/testdata');
const namespace = 'tables';

/** Versions whose Tables the reference prints from another version: the server passes on stored objects. */
const skippedResources = new Set(['autoscaling/v1/horizontalpodautoscalers']);

/** Objects that cannot be created. */
const foundObjects: ReadonlyMap<string, readonly string[]> = new Map([
  ['v1/componentstatuses', ['etcd-0', 'scheduler']],
  ['apiregistration.k8s.io/v1/apiservices', ['v1.apps']],
  ['flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations', ['exempt', 'catch-all', 'workload-low']],
]);

/** Lists: rows of some kinds depend on each other. */
const recordedLists: readonly string[] = [
  'v1/namespaces',
  'flowcontrol.apiserver.k8s.io/v1/flowschemas',
  'storage.k8s.io/v1/storageclasses',
  'scheduling.k8s.io/v1/priorityclasses',
];

/** Time for the server's own controllers. */
const settleMs = 3_000;

interface Context {
  readonly client: ReferenceClient;
  readonly catalog: ReadonlyMap<string, CatalogEntry>;
}

async function main(kubeconfig: string): Promise<void> {
  const client = new ReferenceClient(kubeconfig);
  const context = { client, catalog: await readCatalog(client) };
  mkdirSync(testdata, { recursive: true });
  await client.must('/api/v1/namespaces', { method: 'POST', body: { metadata: { name: namespace } } });
  await createAll(context);
  await sleep(settleMs);
  for (const [file, samples] of sampleFiles) {
    const lines: string[] = [];
    for (const sample of samples) lines.push(...(await recordSample(context, sample)));
    write(file, lines);
  }
  write('found', await recordFound(context));
  write('lists', await recordLists(context));
  write('columns', await recordColumns(context));
  client.close();
}

/** Creates every sample; reports all refusals. */
async function createAll(context: Context): Promise<void> {
  const failures: string[] = [];
  for (const sample of [...sampleFiles.values()].flat()) {
    await create(context, sample).catch((error: Error) => failures.push(error.message));
  }
  if (failures.length > 0) throw new Error(`samples that the reference refuses:\n${failures.join('\n')}`);
}

async function create({ client, catalog }: Context, sample: Sample): Promise<void> {
  const entry = entryOf({ client, catalog }, sample.resource);
  const { apiVersion, kind } = entry;
  const { name } = sample;
  const place = entry.namespaced ? { namespace } : {};
  const finalizers = sample.deleted ? { finalizers: ['example.com/keep'] } : {};
  const metadata = { name, ...finalizers, ...sample.metadata };
  await client.must(resourcePath(entry, place), {
    method: 'POST',
    body: { apiVersion, kind, metadata, ...sample.body },
  });
  const path = resourcePath(entry, { ...place, name });
  const patch = (subresource: string, status: JsonObject): Promise<JsonObject> =>
    client.must(`${path}/${subresource}`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { status },
    });
  if (sample.approval) await patch('approval', { conditions: sample.approval });
  for (const status of [sample.status ?? []].flat()) await patch('status', status);
  if (sample.deleted) await client.must(path, { method: 'DELETE' });
}

function entryOf({ catalog }: Context, resource: string): CatalogEntry {
  const entry = catalog.get(resource);
  if (entry === undefined) throw new Error(`the reference does not serve ${resource}`);
  return entry;
}

/** The rows of one object in every served version. */
async function recordSample({ client, catalog }: Context, sample: Sample): Promise<string[]> {
  const created = entryOf({ client, catalog }, sample.resource);
  const paths = [...catalog.values()]
    .filter((entry) => isSameResource(entry, created) && !skippedResources.has(entry.resource))
    .map((entry) => resourcePath(entry, { ...(entry.namespaced && { namespace }), name: sample.name }));
  const scalePaths = sample.scale ? paths.map((path) => `${path}/scale`) : [];
  const lines: string[] = [];
  for (const path of [...paths, ...scalePaths]) {
    lines.push(...(await recordPath(client, path)));
  }
  return lines;
}

async function recordFound(context: Context): Promise<string[]> {
  const lines: string[] = [];
  for (const [resource, names] of foundObjects) {
    const paths = names.map((name) => resourcePath(entryOf(context, resource), { name }));
    for (const path of paths) lines.push(...(await recordPath(context.client, path)));
  }
  return lines;
}

async function recordPath(client: ReferenceClient, path: string): Promise<string[]> {
  const { nowMs, rows } = await recordTable(client, path);
  return rows.map((row) => JSON.stringify({ nowMs, ...row }));
}

function isSameResource(a: CatalogEntry, b: CatalogEntry): boolean {
  const group = ({ apiVersion }: CatalogEntry): string =>
    apiVersion.includes('/') ? apiVersion.split('/', 1).join() : '';
  const isEvent = a.kind === 'Event' && b.kind === 'Event';
  return a.plural === b.plural && (isEvent || group(a) === group(b));
}

async function recordLists(context: Context): Promise<string[]> {
  const lines: string[] = [];
  for (const resource of recordedLists) {
    const { nowMs, rows } = await recordTable(context.client, resourcePath(entryOf(context, resource)));
    lines.push(JSON.stringify({ nowMs, list: rows }));
  }
  return lines;
}

async function recordColumns({ client, catalog }: Context): Promise<string[]> {
  const lines: string[] = [];
  for (const entry of catalog.values()) {
    const { columns } = await recordTable(client, `${resourcePath(entry)}?limit=1`);
    const facts = columns.map(({ name, type, format, priority }) => [name, type, format, priority]);
    lines.push(JSON.stringify({ apiVersion: entry.apiVersion, kind: entry.kind, columns: facts }));
  }
  return lines;
}

function write(file: string, lines: readonly string[]): void {
  writeFileSync(join(testdata, `${file}.jsonl`), `${lines.join('\n')}\n`);
  console.log(`${file}: ${lines.length}`);
}

const [kubeconfig] = process.argv.slice(2);
if (kubeconfig === undefined) throw new Error('usage: node tools/record-tables/main.ts KUBECONFIG');
await main(kubeconfig);
