import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { define, definitionsPath, group, ships, shipsPath } from './definitions.ts';

// Custom resources that nest as deeply as bodies may: 10,000 levels of which the reference keeps all.

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const any = { 'x-kubernetes-preserve-unknown-fields': true };
  const keyed = { type: 'object', required: ['k'], properties: { k: { type: 'string' }, v: any } };
  const lists = {
    set: { type: 'array', items: any, 'x-kubernetes-list-type': 'set' },
    map: { type: 'array', items: keyed, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
  };
  const spec = { ...free, properties: lists };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec, status: free } } };
  await define(client, ships({ versions: [{ name: 'v1', schema, subresources: { status: {} } }] }));
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

interface Nesting {
  readonly name: string;
  /** Opens and closes a level. */
  readonly brackets: readonly (readonly [open: string, close: string])[];
  /** A step of a JSON pointer. */
  readonly steps: readonly string[];
  /** The owned path of the leaf, as a conflict shows it. */
  readonly owned: (levels: number) => string;
}

const object = ['{"a":', '}'] as const;
const list = ['[', ']'] as const;

const nestings: readonly Nesting[] = [
  { name: 'objects', brackets: [object], steps: ['/a'], owned: (levels) => `.spec.x${'.a'.repeat(levels)}` },
  { name: 'lists', brackets: [list], steps: ['/0'], owned: () => '.spec.x' },
  { name: 'both', brackets: [object, list], steps: ['/a', '/0'], owned: () => '.spec.x.a' },
  {
    name: 'siblings',
    brackets: [['{"a":', ',"b":{"c":[]}}']],
    steps: ['/a'],
    owned: (levels) => `.spec.x${'.a'.repeat(levels)}`,
  },
];

/** With `spec` and the object around it 9,000. */
const levels = 8_998;

function nested({ brackets }: Nesting, leaf: number): string {
  let open = '';
  let close = '';
  for (let level = 0; level < levels; level++) {
    const [before, after] = brackets[level % brackets.length] as readonly [string, string]; // not empty
    open += before;
    close = after + close;
  }
  return `{"x":${open}${leaf}${close}}`;
}

function body(name: string, fields: string, metadata = ''): Buffer {
  return Buffer.from(`{"apiVersion":"${group}/v1","kind":"Ship","metadata":{"name":"${name}"${metadata}},${fields}}`);
}

const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };

/** The part of an object that begins at `name`, in the JSON of an answer. */
async function stored(path: string, part: 'spec' | 'status' = 'spec'): Promise<string> {
  const { code, bytes } = await client.sendBytes('GET', path, {});
  expect(code).toBe(200);
  return JSON.stringify((JSON.parse(bytes.toString()) as { [part: string]: JsonValue })[part]);
}

async function send(method: string, path: string, headers: { readonly [name: string]: string }, sent?: Buffer) {
  const json = { 'content-type': 'application/json' };
  const { code, bytes } = await client.sendBytes(
    method,
    path,
    { ...(sent === undefined ? {} : json), ...headers },
    sent,
  );
  return { code, text: bytes.toString() };
}

/** Compared first: the difference between long texts takes long to find. */
function expectSame(actual: string, expected: string): void {
  expect(actual === expected, `${actual.slice(0, 200)}\n${expected.slice(0, 200)}`).toBe(true);
}

describe.each(nestings)('$name, 9,000 deep', (nesting) => {
  const { name } = nesting;
  const path = `${shipsPath()}/${name}`;

  test('are created and changed by every method', async () => {
    const [one, two, three] = [nested(nesting, 1), nested(nesting, 2), nested(nesting, 3)];
    expect((await send('POST', `${shipsPath()}?dryRun=All`, {}, body(name, `"spec":${one}`))).code).toBe(201);
    const created = await send('POST', shipsPath(), {}, body(name, `"spec":${one}`));
    expect(created.code).toBe(201);
    expectSame(await stored(path), JSON.stringify(JSON.parse(one)));
    const { metadata } = JSON.parse(created.text) as { metadata: { resourceVersion: string } };
    const version = `,"resourceVersion":"${metadata.resourceVersion}"`;
    expect((await send('PUT', path, {}, body(name, `"spec":${two}`, version))).code).toBe(200);
    expectSame(await stored(path), JSON.stringify(JSON.parse(two)));
    const label = Buffer.from('{"metadata":{"labels":{"a":"b"}}}');
    expect((await send('PATCH', path, merge, label)).code).toBe(200);
    expect((await send('PATCH', path, merge, Buffer.from(`{"spec":${three}}`))).code).toBe(200);
    expectSame(await stored(path), JSON.stringify(JSON.parse(three)));
    let pointer = '/spec/x';
    for (let level = 0; level < levels; level++) pointer += nesting.steps[level % nesting.steps.length] ?? '';
    const operations = Buffer.from(JSON.stringify([{ op: 'replace', path: pointer, value: 1 }]));
    const patched = await send('PATCH', path, { 'content-type': 'application/json-patch+json' }, operations);
    expect(patched.code).toBe(200);
    expectSame(await stored(path), JSON.stringify(JSON.parse(one)));
    expect((await send('PATCH', `${path}/status`, merge, Buffer.from(`{"status":${two}}`))).code).toBe(200);
    expectSame(await stored(path, 'status'), JSON.stringify(JSON.parse(two)));
    expect((await send('DELETE', path, {})).code).toBe(200);
  });

  test('are items of sets, which are unlike', async () => {
    const [one, two] = [nested(nesting, 1), nested(nesting, 2)].map((item) => item.slice('{"x":'.length, -1));
    const set = `${path}-set`;
    const of = (...items: readonly (string | undefined)[]): Buffer =>
      body(`${name}-set`, `"spec":{"set":[${items.join(',')}]}`);
    expect((await send('POST', shipsPath(), {}, of(one, two))).code).toBe(201);
    expectSame(await stored(set), JSON.stringify(JSON.parse(`{"set":[${one},${two}]}`)));
    const repeated = await send('POST', `${shipsPath()}?dryRun=All`, {}, of(one, two, one));
    expect(repeated.code).toBe(422);
    expect(repeated.text).toContain('spec.set[2]: Duplicate value');
    const add = Buffer.from(`[{"op":"add","path":"/spec/set/0","value":${two}}]`);
    const jsonPatch = { 'content-type': 'application/json-patch+json' };
    expect((await send('PATCH', set, jsonPatch, add)).code).toBe(422);
    expect((await send('PATCH', set, merge, Buffer.from(`{"spec":{"set":[${two}]}}`))).code).toBe(200);
    expectSame(await stored(set), JSON.stringify(JSON.parse(`{"set":[${two}]}`)));
  });

  test('are items by key, with their owners', async () => {
    const [one, two] = [nested(nesting, 1), nested(nesting, 2)].map((item) => item.slice('{"x":'.length, -1));
    const applied = `${path}-map`;
    const of = (value: string | undefined): Buffer => body(`${name}-map`, `"spec":{"map":[{"k":"a","v":${value}}]}`);
    expect((await send('PATCH', `${applied}?fieldManager=one`, apply, of(one))).code).toBe(201);
    expect((await send('PATCH', `${applied}?fieldManager=two`, apply, of(two))).code).toBe(409);
    expect((await send('PATCH', `${applied}?fieldManager=two&force=true`, apply, of(two))).code).toBe(200);
    expectSame(await stored(applied), JSON.stringify(JSON.parse(`{"map":[{"k":"a","v":${two}}]}`)));
  });

  test('are applied, with their owners', async () => {
    const [one, two] = [nested(nesting, 1), nested(nesting, 2)];
    const applied = `${path}-applied`;
    const to = (manager: string, force = ''): string => `${applied}?fieldManager=${manager}${force}`;
    const of = (spec: string): Buffer => body(`${name}-applied`, `"spec":${spec}`);
    expect((await send('PATCH', to('one'), apply, of(one))).code).toBe(201);
    expect((await send('PATCH', to('one'), apply, of(one))).code).toBe(200);
    const conflict = await send('PATCH', to('two'), apply, of(two));
    expect(conflict.code).toBe(409);
    const message = `Apply failed with 1 conflict: conflict with "one": ${nesting.owned(levels)}`;
    expectSame(String((JSON.parse(conflict.text) as { message: string }).message), message);
    expect((await send('PATCH', to('two', '&force=true'), apply, of(two))).code).toBe(200);
    expectSame(await stored(applied), JSON.stringify(JSON.parse(two)));
    // What the other one owns stays.
    expect((await send('PATCH', to('one'), apply, of('{"y":1}'))).code).toBe(200);
    expectSame(await stored(applied), JSON.stringify({ ...(JSON.parse(two) as object), y: 1 }));
    expect((await send('PATCH', to('two'), apply, of('{"z":1}'))).code).toBe(200);
    expectSame(await stored(applied), '{"y":1,"z":1}');
    expect((await send('DELETE', applied, {})).code).toBe(200);
  });

  test('are shown in all forms, also after a restart', async () => {
    const one = nested(nesting, 1);
    const kept = `${path}-kept`;
    expect((await send('POST', shipsPath(), {}, body(`${name}-kept`, `"spec":${one}`))).code).toBe(201);
    client[Symbol.dispose]();
    await server.restart();
    client = await ApiClient.connect(server);
    expectSame(await stored(kept), JSON.stringify(JSON.parse(one)));
    const selected = `${shipsPath()}?fieldSelector=metadata.name%3D${name}-kept`;
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    for (const headers of [{ accept: 'application/json' }, table]) {
      const { code, text } = await send('GET', `${selected}&includeObject=Object`, headers);
      expect(code).toBe(200);
      expect(text).toContain(JSON.stringify(JSON.parse(one)));
    }
    const partial = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
    expect((await send('GET', kept, partial)).code).toBe(200);
    for await (const event of client.watch(`${selected}&watch=1`)) {
      expectSame(JSON.stringify(event.object['spec']), JSON.stringify(JSON.parse(one)));
      break;
    }
    expect((await send('GET', kept, { accept: 'application/vnd.kubernetes.protobuf' })).code).toBe(406);
    expect((await send('DELETE', kept, {})).code).toBe(200);
  });
});

test('YAML of them has a line for each level', async () => {
  const { code } = await send('POST', shipsPath(), {}, body('shown', `"spec":${nested(nestings[2] as Nesting, 1)}`));
  expect(code).toBe(201);
  for (const path of [`${shipsPath()}/shown`, `${shipsPath()}?fieldSelector=metadata.name%3Dshown`]) {
    const yaml = await send('GET', path, { accept: 'application/yaml' });
    expect(yaml.code).toBe(200);
    expect(yaml.text).toMatch(/\n {2,4}x:\n {4,6}a:\n {4,6}- a:\n {6,8}- a:\n/);
    expect(yaml.text.split('\n').filter((line) => line.endsWith('- a:')).length).toBe(levels / 2 - 1);
  }
});

test('what a ControllerRevision contains may be as deep', async () => {
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const revision = (data: string): Buffer =>
    Buffer.from(
      `{"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"deep"},"revision":1,"data":${data}}`,
    );
  const [one, two] = [1, 2].map((leaf) => nested(nestings[0] as Nesting, leaf)) as [string, string];
  expect((await send('POST', path, {}, revision(one))).code).toBe(201);
  const label = Buffer.from('{"metadata":{"labels":{"a":"b"}}}');
  for (const format of ['merge-patch', 'strategic-merge-patch'])
    expect((await send('PATCH', `${path}/deep`, { 'content-type': `application/${format}+json` }, label)).code).toBe(
      200,
    );
  const refused = await send('PUT', `${path}/deep`, {}, revision(two));
  expect(refused.code).toBe(422);
  expect(refused.text).toContain('field is immutable');
  expect((await send('PATCH', `${path}/deep?fieldManager=a`, apply, revision(one))).code).toBe(200);
});

test('a deep value is compared with an enum', async () => {
  const properties = { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const one = nested(nestings[2] as Nesting, 1);
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { ...properties.spec, enum: [one] } } } };
  const text = JSON.stringify(ships({ versions: [{ name: 'v1', schema }] }))
    .replaceAll(group, `enum.${group}`)
    .replace(JSON.stringify(one), one);
  const definition = await send('POST', definitionsPath, {}, Buffer.from(text));
  expect(definition.code, definition.text.slice(0, 500)).toBe(201);
  const path = `/apis/enum.${group}/v1/namespaces/default/ships`;
  const of = (spec: string): Buffer =>
    Buffer.from(body('a', `"spec":${spec}`).toString().replace(group, `enum.${group}`));
  await expect.poll(async () => (await send('POST', path, {}, of(one))).code).toBe(201);
  const other = await send('POST', path, {}, of(nested(nestings[2] as Nesting, 2)));
  expect(other.code).toBe(422);
});
