// node tools/record-validation/main.ts STATE_DIR PORT: sends the cases to a reference server (started by `up` in STATE_DIR)
// as dry runs and writes its answers to testdata/recorded.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';

import type { JsonObject, JsonValue } from '../../src/api/json.ts';
import { type KindCases, mutated, type Mutation } from './case.ts';
import { allCases } from './cases/all.ts';

const [stateDir = '', port = ''] = process.argv.slice(2);
const pki = (name: string): Buffer => readFileSync(join(stateDir, 'pki', name));
const agent = new Agent({ ca: pki('ca.crt'), cert: pki('admin.crt'), key: pki('admin.key'), keepAlive: true });
const namespace = 'recorded-validation';
const output = join(import.meta.dirname, 'testdata/recorded.json');

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
}

function send(method: string, path: string, body?: JsonObject): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, agent, headers: { 'content-type': 'application/json' } };
    const outgoing = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ code: response.statusCode ?? 0, body: JSON.parse(text) as JsonObject });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

function collection({ resource, clusterScoped }: KindCases): string {
  const parts = resource.split('/');
  const plural = parts.pop() ?? '';
  const root = parts.length === 1 ? `/api/${parts[0]}` : `/apis/${parts.join('/')}`;
  return clusterScoped ? `${root}/${plural}` : `${root}/namespaces/${namespace}/${plural}`;
}

/** The base as the server stores it. */
async function store(kind: KindCases): Promise<JsonObject> {
  const metadata = kind.base['metadata'] as JsonObject;
  const path = `${collection(kind)}/${String(metadata['name'])}`;
  const found = await send('GET', path);
  if (found.code === 200) return found.body;
  const created = await send('POST', collection(kind), kind.base);
  if (created.code !== 201) throw new Error(`${kind.resource}: ${JSON.stringify(created.body)}`);
  return (await send('GET', path)).body;
}

const ownedByServer = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'selfLink'];

function forCreate(stored: JsonObject, kind: KindCases): JsonObject {
  const removals = [...ownedByServer.map((name) => `metadata.${name}`), ...(kind.createWithout ?? [])];
  return mutated(stored, Object.fromEntries(removals.map((path) => [path, undefined])));
}

/** `[operation, mutation, code, causes]`; causes are `[reason, message, field]`. */
type Recorded = [string, JsonObject, number, JsonValue[]];

function record(operation: string, mutation: Mutation, { code, body }: Answer): Recorded {
  const causes = ((body['details'] as JsonObject | undefined)?.['causes'] ?? []) as JsonObject[];
  const shown = Object.fromEntries(Object.entries(mutation).map(([path, value]) => [path, value ?? '(removed)']));
  return [
    operation,
    shown,
    code,
    causes.map(({ reason, message, field }) => [reason ?? '', message ?? '', field ?? '']),
  ];
}

async function recordKind(kind: KindCases): Promise<JsonObject> {
  const stored = await store(kind);
  const name = String((stored['metadata'] as JsonObject)['name']);
  const path = collection(kind);
  const cases: Recorded[] = [];
  for (const mutation of kind.create ?? []) {
    const object = mutated(forCreate(stored, kind), mutation);
    cases.push(record('create', mutation, await send('POST', `${path}?dryRun=All`, object)));
  }
  for (const [operation, subresource, mutations] of [
    ['update', '', kind.update],
    ['status', '/status', kind.status],
  ] as const) {
    for (const mutation of mutations ?? []) {
      const object = mutated(stored, mutation);
      cases.push(record(operation, mutation, await send('PUT', `${path}/${name}${subresource}?dryRun=All`, object)));
    }
  }
  delete (stored['metadata'] as JsonObject)['managedFields'];
  return { resource: kind.resource, base: stored, cases };
}

await send('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
const lines: string[] = [];
const refused = new Map<number, number>();
for (const kind of allCases) {
  const recorded = await recordKind(kind);
  const { cases, ...head } = recorded;
  for (const [operation, mutation, code] of cases as Recorded[]) {
    refused.set(code, (refused.get(code) ?? 0) + 1);
    if (code !== 422) process.stderr.write(`${kind.resource} ${operation} ${JSON.stringify(mutation)}: ${code}\n`);
  }
  const text = (cases as Recorded[]).map((entry) => `  ${JSON.stringify(entry)}`).join(',\n');
  lines.push(`{"head": ${JSON.stringify(head)},\n "cases": [\n${text}\n ]}`);
}
writeFileSync(output, `[\n${lines.join(',\n')}\n]\n`);
process.stdout.write(`${[...refused].map(([code, count]) => `${code}: ${count}`).join(', ')}\n`);
agent.destroy();
