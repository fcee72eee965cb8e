// node test/record.ts validation STATE_DIR PORT [SET ...]: sends the cases to a reference server (started by `up` in
// STATE_DIR) as dry runs and records its responses; without a SET, those of all sets. Objects that the server would not
// accept are written to its etcd with the program ETCDCTL (port ETCD_PORT).
import { spawnSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';

import type { JsonObject } from '../../../src/api/json/json.ts';
import { type KindCases, mutated } from './case.ts';
import { type Recorded, recordResponse, type RecordedKind, shownMutation } from './answer.ts';
import { writeKinds } from './recorded-kinds.ts';
import { ReferenceClient } from './reference-client.ts';
import { collectionPath, namespace, withoutServerFields } from './requests.ts';
import { caseSets } from './cases/all.ts';

const [stateDir = '', port = '', ...sets] = process.argv.slice(2);
using reference = new ReferenceClient(stateDir, port);

/** The base as stored by the server and prepared for the case. */
async function store(kind: KindCases, collection: string): Promise<JsonObject> {
  let stored = await storeBase(kind, collection);
  if (kind.planted !== undefined) stored = await plant(kind, mutated(stored, kind.planted));
  const path = `${collection}/${String((kind.base['metadata'] as JsonObject)['name'])}`;
  for (const [subresource, mutation] of kind.prepared ?? []) {
    const target = subresource === '' ? path : `${path}/${subresource}`;
    const { code, body } = await reference.send('PUT', target, mutated(stored, mutation));
    if (code !== 200) throw new Error(`${kind.resource}: ${JSON.stringify(body)}`);
    stored = (await reference.send('GET', path)).body;
  }
  return stored;
}

/** Other groups are not part of etcd's keys. */
const groupsInKeys: ReadonlySet<string> = new Set(['apiextensions.k8s.io', 'apiregistration.k8s.io']);

/** Writes an object to the reference's etcd, and waits until its cache has it. */
async function plant({ resource }: KindCases, object: JsonObject): Promise<JsonObject> {
  const { name, resourceVersion, ...metadata } = object['metadata'] as JsonObject;
  const [group = '', version = '', plural = ''] = resource.split('/');
  const folder = groupsInKeys.has(group) ? `${group}/${plural}` : plural;
  const key = `/registry/${folder}/${String(name)}`;
  const value = JSON.stringify({ ...object, metadata: { ...metadata, name } });
  const { ETCDCTL = 'etcdctl', ETCD_PORT = '2379' } = process.env;
  const { status, stderr } = spawnSync(ETCDCTL, ['--endpoints', `http://127.0.0.1:${ETCD_PORT}`, 'put', key, value]);
  if (status !== 0) throw new Error(`etcdctl: ${String(stderr)}`);
  const path = `/apis/${group}/${version}/${plural}/${String(name)}`;
  for (;;) {
    const { body } = await reference.send('GET', path);
    const found = body['metadata'] as JsonObject;
    if (found['resourceVersion'] !== resourceVersion) return body;
    await setTimeout(100);
  }
}

async function storeBase(kind: KindCases, collection: string): Promise<JsonObject> {
  const metadata = kind.base['metadata'] as JsonObject;
  const path = `${collection}/${String(metadata['name'])}`;
  const found = await reference.send('GET', path);
  if (found.code === 200) return found.body;
  const created = await reference.send('POST', collection, kind.base);
  if (created.code !== 201) throw new Error(`${kind.resource}: ${JSON.stringify(created.body)}`);
  return (await reference.send('GET', path)).body;
}

async function recordKind(kind: KindCases): Promise<RecordedKind> {
  const path = collectionPath(kind.resource, kind.clusterScoped === true);
  const stored = await store(kind, path);
  const name = String((stored['metadata'] as JsonObject)['name']);
  const created = mutated(withoutServerFields(stored, kind.createWithout), kind.createWith ?? {});
  const cases: Recorded[] = [];
  for (const mutation of kind.create ?? []) {
    const object = mutated(created, mutation);
    const answer = await reference.send('POST', `${path}?dryRun=All`, object);
    cases.push(recordResponse('create', mutation, answer));
  }
  for (const [operation, subresource, mutations] of [
    ['update', '', kind.update],
    ['status', '/status', kind.status],
    ...Object.entries(kind.subresources ?? {}).map(([part, mutations]) => [part, `/${part}`, mutations] as const),
  ] as const) {
    for (const mutation of mutations ?? []) {
      const object = mutated(stored, mutation);
      const answer = await reference.send('PUT', `${path}/${name}${subresource}?dryRun=All`, object);
      cases.push(recordResponse(operation, mutation, answer));
    }
  }
  delete (stored['metadata'] as JsonObject)['managedFields'];
  const head = {
    resource: kind.resource,
    base: stored,
    ...(kind.gates === undefined ? {} : { gates: kind.gates }),
    ...(kind.planted === undefined ? {} : { planted: true }),
    ...(kind.createWith === undefined ? {} : { created }),
    ...(kind.prepared === undefined
      ? {}
      : { prepared: kind.prepared.map(([part, mutation]) => [part, shownMutation(mutation)] as const) }),
  };
  return { head, cases };
}

async function recordSet(set: string, kinds: readonly KindCases[]): Promise<void> {
  const recorded: RecordedKind[] = [];
  const codes = new Map<number, number>();
  for (const kind of kinds) {
    const answered = await recordKind(kind);
    for (const [operation, mutation, code] of answered.cases) {
      codes.set(code, (codes.get(code) ?? 0) + 1);
      if (code !== 422) process.stderr.write(`${kind.resource} ${operation} ${JSON.stringify(mutation)}: ${code}\n`);
    }
    recorded.push(answered);
  }
  writeKinds(set, recorded);
  process.stdout.write(`${set}: ${[...codes].map(([code, count]) => `${code}: ${count}`).join(', ')}\n`);
}

await reference.send('POST', '/api/v1/namespaces', {
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: namespace },
});
for (const [set, kinds] of Object.entries(caseSets)) {
  if (sets.length === 0 || sets.includes(set)) await recordSet(set, kinds);
}
