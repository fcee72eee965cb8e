import { type HostileCase, requestCase, type RequestRow } from '../hostile-case.ts';
import type { HostileClient, Reply } from '../hostile-client.ts';
import { around, configMap, items, namespaced, pod } from '../text-bodies.ts';

const bytes = 2_900_000;
const refused = [400, 413, 415, 422];

const types = {
  json: 'application/json-patch+json',
  merge: 'application/merge-patch+json',
  strategic: 'application/strategic-merge-patch+json',
};

/** Makes sure that the object to be patched exists, whatever the previous case has left. */
async function patched(client: HostileClient): Promise<Reply> {
  await client.send({
    path: namespaced('configmaps'),
    body: JSON.stringify(configMap({ data: { a: 'b'.repeat(100) } })),
  });
  return client.send({ path: namespaced('pods'), body: JSON.stringify(pod()) });
}

interface PatchRow extends Pick<RequestRow, 'name' | 'body'> {
  readonly type: keyof typeof types;
  readonly of?: 'pods' | 'configmaps';
  readonly codes?: readonly number[];
}

const operations = (...made: readonly object[]): string => JSON.stringify(made);
const copy = (from: string, path: string): object => ({ op: 'copy', from, path });

const rows: readonly PatchRow[] = [
  {
    type: 'json',
    name: '27 copies that double',
    of: 'configmaps',
    body: () => operations(...Array.from({ length: 27 }, () => copy('/data', '/data/b'))),
  },
  {
    type: 'json',
    name: 'copies of a whole',
    of: 'configmaps',
    body: () => operations(...Array.from({ length: 9000 }, (_, n) => copy('', `/data/b${n}`))),
  },
  {
    type: 'json',
    name: 'operations',
    of: 'configmaps',
    body: () => `[${items('{"op":"add","path":"/data/a","value":"b"}')}]`,
  },
  {
    type: 'json',
    name: '10,000 operations',
    of: 'configmaps',
    body: () => `[${items('{"op":"add","path":"/data/a","value":"b"}', 420_000)}]`,
  },
  {
    type: 'json',
    name: 'tests',
    of: 'configmaps',
    body: () => `[${items('{"op":"test","path":"/data/a","value":"b"}', 400_000)}]`,
  },
  { type: 'json', name: 'empty operations', body: () => `[${items('{}')}]` },
  {
    type: 'json',
    name: 'insertions at the beginning of a list',
    body: () =>
      operations(
        { op: 'add', path: '/metadata/finalizers', value: [] },
        ...Array.from({ length: 9900 }, () => ({ op: 'add', path: '/metadata/finalizers/0', value: 'a/b' })),
      ),
  },
  { type: 'json', name: 'a long path', body: () => operations({ op: 'remove', path: '/a'.repeat(bytes / 2) }) },
  { type: 'json', name: 'a path of tildes', body: () => operations({ op: 'remove', path: '~0'.repeat(bytes / 2) }) },
  {
    type: 'json',
    name: 'an index of a million digits',
    body: () => operations({ op: 'remove', path: `/spec/containers/${'1'.repeat(1_000_000)}` }),
  },
  {
    type: 'json',
    name: 'a list of empty containers',
    body: () => `[{"op":"replace","path":"/spec/containers","value":[${items('{}')}]}]`,
  },
  {
    type: 'json',
    name: 'moves into itself',
    body: () => operations(...Array.from({ length: 9000 }, () => ({ op: 'move', from: '/spec', path: '/spec/spec' }))),
  },
  { type: 'merge', name: 'empty containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('{}')}]`) },
  { type: 'merge', name: 'deletions', of: 'configmaps', body: () => `{"data":{${items((n) => `"a${n}":null`)}}}` },
  { type: 'merge', name: 'keys', of: 'configmaps', body: () => `{"data":{${items((n) => `"a${n}":"b"`)}}}` },
  { type: 'merge', name: 'unknown fields', body: () => `{${items((n) => `"a${n}":1`)}}` },
  { type: 'merge', name: 'maps in maps', body: () => `${'{"a":'.repeat(490_000)}1${'}'.repeat(490_000)}` },
  { type: 'merge', name: 'duplicate keys', body: () => `{${items('"a":1')}}` },
  { type: 'strategic', name: 'empty containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('{}')}]`) },
  {
    type: 'strategic',
    name: 'containers of one name',
    body: () => around(pod({ containers: 'HOLE' }), `[${items('{"name":"a"}')}]`),
  },
  {
    type: 'strategic',
    name: 'containers',
    body: () => around(pod({ containers: 'HOLE' }), `[${items((n) => `{"name":"a${n}"}`)}]`),
  },
  {
    type: 'strategic',
    name: 'deletions of containers',
    body: () => around(pod({ containers: 'HOLE' }), `[${items((n) => `{"name":"a${n}","$patch":"delete"}`)}]`),
  },
  {
    type: 'strategic',
    name: 'orders of containers',
    body: () => `{"spec":{"$setElementOrder/containers":[${items((n) => `{"name":"a${n}"}`)}]}}`,
  },
  {
    type: 'strategic',
    name: 'orders of equal containers',
    body: () => `{"spec":{"$setElementOrder/containers":[${items('{"name":"a"}')}]}}`,
  },
  {
    type: 'strategic',
    name: 'deletions from a primitive list',
    body: () => `{"metadata":{"$deleteFromPrimitiveList/finalizers":[${items((n) => `"a${n}"`)}]}}`,
  },
  { type: 'strategic', name: 'finalizers', body: () => `{"metadata":{"finalizers":[${items((n) => `"a${n}/b"`)}]}}` },
  {
    type: 'strategic',
    name: 'kept keys',
    body: () => `{"spec":{"volumes":[{"name":"a","$retainKeys":[${items((n) => `"a${n}"`)}]}]}}`,
  },
  { type: 'strategic', name: 'unknown directives', body: () => `{"spec":{${items((n) => `"$patch/${n}":1`)}}}` },
  { type: 'strategic', name: 'keys', of: 'configmaps', body: () => `{"data":{${items((n) => `"a${n}":"b"`)}}}` },
];

export const patchCases: readonly HostileCase[] = rows.map(
  ({ type, name, body, of = 'pods', codes = [200, ...refused] }) =>
    requestCase({
      name: `${type} patch: ${name}`,
      method: 'PATCH',
      path: `${namespaced(of)}/hostile?dryRun=All&fieldValidation=Ignore`,
      headers: { 'content-type': types[type] },
      prepare: patched,
      body,
      // For results too large to store the reference returns 500 and 413.
      codes: [...codes, 500],
    }),
);
