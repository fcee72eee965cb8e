import { type HostileCase, requestCase, type RequestRow } from '../hostile-case.ts';
import { around, configMap, items, manyItems, namespaced, pod } from '../text-bodies.ts';

const pods = `${namespaced('pods')}?dryRun=All`;
const configMaps = `${namespaced('configmaps')}?dryRun=All`;

/** JSON bodies of the maximum size; none is stored. */
const rows: readonly (Omit<RequestRow, 'path' | 'codes'> & Partial<Pick<RequestRow, 'path' | 'codes'>>)[] = [
  { name: 'empty containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('{}')}]`) },
  {
    name: 'empty lists for containers',
    body: () => around(pod({ containers: 'HOLE' }), `[${items('[]')}]`),
    codes: [400],
  },
  { name: 'nulls for containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('null')}]`) },
  { name: 'numbers for containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('1')}]`), codes: [400] },
  {
    name: 'containers with one unknown field each',
    body: () => around(pod({ containers: 'HOLE' }), `[${items((n) => `{"a${n}":1}`)}]`),
  },
  { name: 'wrong names of containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('{"name":"_"}')}]`) },
  { name: 'equal names of containers', body: () => around(pod({ containers: 'HOLE' }), `[${items('{"name":"a"}')}]`) },
  { name: 'empty tolerations', body: () => around(pod({ tolerations: 'HOLE' }), `[${items('{}')}]`) },
  { name: 'empty volumes', body: () => around(pod({ volumes: 'HOLE' }), `[${items('{}')}]`) },
  {
    name: 'wrong ports',
    body: () => around(pod({ containers: [{ name: 'a', image: 'a', ports: 'HOLE' }] }), `[${items('{}')}]`),
  },
  { name: 'arguments', body: () => around(pod({ containers: [{ image: 'a', args: 'HOLE' }] }), `[${items('"a"')}]`) },
  {
    name: 'variables',
    body: () => around(pod({ containers: [{ image: 'a', env: 'HOLE' }] }), `[${items('{"name":"a"}')}]`),
  },
  { name: 'finalizers', body: () => around(pod({}, { finalizers: 'HOLE' }), `[${items('"a"')}]`) },
  { name: 'owners', body: () => around(pod({}, { ownerReferences: 'HOLE' }), `[${items('{}')}]`) },
  { name: 'managed fields', body: () => around(pod({}, { managedFields: 'HOLE' }), `[${items('{}')}]`) },
  { name: 'wrong labels', body: () => around(pod({}, { labels: 'HOLE' }), `{${items((n) => `"_${n}":"-"`)}}`) },
  { name: 'labels', body: () => around(pod({}, { labels: 'HOLE' }), `{${items((n) => `"a${n}":""`)}}`) },
  { name: 'annotations', body: () => around(pod({}, { annotations: 'HOLE' }), `{${items((n) => `"a${n}":""`)}}`) },
  { name: 'node selector', body: () => around(pod({ nodeSelector: 'HOLE' }), `{${items((n) => `"-${n}":""`)}}`) },
  {
    name: 'keys of data',
    path: configMaps,
    body: () => around(configMap({ data: 'HOLE' }), `{${items((n) => `"a${n}":""`)}}`),
  },
  {
    name: 'wrong keys of data',
    path: configMaps,
    body: () => around(configMap({ data: 'HOLE' }), `{${items((n) => `"/${n}":""`)}}`),
  },
  {
    name: 'unknown fields',
    body: () =>
      around({ ...pod(), HOLE: 1 }, '"x"').replace(
        '"x":1',
        items((n) => `"u${n}":1`),
      ),
  },
  { name: 'duplicate fields', body: () => around({ ...pod(), HOLE: 1 }, '"x"').replace('"x":1', items('"u":1')) },
  {
    name: 'duplicate known fields',
    body: () => around(pod({ HOLE: 1 }), '"x"').replace('"x":1', items('"hostname":"a"')),
  },
  {
    name: 'duplicate keys of data',
    path: configMaps,
    body: () => around(configMap({ data: 'HOLE' }), `{${items('"a":"b"')}}`),
  },
  {
    name: 'a number of a million digits',
    body: () => around(pod({ priority: 'HOLE' }), '1'.repeat(1_000_000)),
    codes: [400],
  },
  {
    name: 'a fraction of a million digits',
    body: () => around(pod({ priority: 'HOLE' }), `0.${'1'.repeat(1_000_000)}`),
    codes: [400],
  },
  { name: 'a number of a million digits, unknown', body: () => around(pod({ x: 'HOLE' }), '1'.repeat(1_000_000)) },
  { name: 'large numbers, unknown', body: () => around(pod({ x: 'HOLE' }), `[${items('12345678901234567890')}]`) },
  { name: 'exponents', body: () => around(pod({ priority: 'HOLE' }), '1e999999999'), codes: [400] },
  {
    name: 'escapes',
    path: configMaps,
    body: () => around(configMap({ data: { a: 'HOLE' } }), `"${'\\u0041'.repeat(490_000)}"`),
    codes: [201, 409, 413, 422, 500],
  },
  {
    name: 'escapes of surrogates',
    path: configMaps,
    body: () => around(configMap({ data: { a: 'HOLE' } }), `"${'\\ud800'.repeat(490_000)}"`),
    codes: [413, 422, 500],
  },
  {
    name: 'bytes that are no UTF-8',
    path: configMaps,
    body: () =>
      Buffer.concat([
        Buffer.from('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"hostile"},"data":{"a":"'),
        Buffer.alloc(2_900_000, 0xff),
        Buffer.from('"}}'),
      ]),
    codes: [413, 422, 500],
  },
  {
    name: 'lists in lists',
    body: () => around(pod({ x: 'HOLE' }), `${'['.repeat(1_490_000)}${']'.repeat(1_490_000)}`),
    codes: [400],
  },
  {
    name: 'maps in maps',
    body: () => around(pod({ x: 'HOLE' }), `${'{"a":'.repeat(490_000)}1${'}'.repeat(490_000)}`),
    codes: [400],
  },
  {
    name: '9,000 levels',
    body: () => around(pod({ x: 'HOLE' }), `${'['.repeat(9000)}${']'.repeat(9000)}`),
    codes: [201, 400, 409, 422],
  },
  { name: 'blanks', body: () => around(pod({ x: 'HOLE' }), ' '.repeat(2_900_000)), codes: [400] },
  { name: 'commas', body: () => `[${','.repeat(2_900_000)}`, codes: [400] },
  { name: 'a quote without end', body: () => `{"a":"${'\\"'.repeat(1_490_000)}`, codes: [400] },
];

const invalid = [201, 400, 413, 422];

export const jsonCases: readonly HostileCase[] = rows.map((row) =>
  requestCase({ path: `${pods}&fieldValidation=Ignore`, codes: invalid, ...row, name: `JSON: ${row.name}` }),
);

/** The maximum number of items that the server accepts, which is less than would fit into a body. */
export const manyCases: readonly HostileCase[] = [
  { name: 'empty containers', item: '{}', spec: { containers: 'HOLE' } },
  { name: 'named containers', item: '{"name":"a"}', spec: { containers: 'HOLE' } },
  { name: 'empty volumes', item: '{}', spec: { volumes: 'HOLE' } },
  { name: 'empty tolerations', item: '{}', spec: { tolerations: 'HOLE' } },
  { name: 'empty variables', item: '{}', spec: { containers: [{ name: 'a', image: 'a', env: 'HOLE' }] } },
  { name: 'wrong ports', item: '{"hostPort":-1}', spec: { containers: [{ name: 'a', image: 'a', ports: 'HOLE' }] } },
  { name: 'empty host aliases', item: '{}', spec: { hostAliases: 'HOLE' } },
  { name: 'unknown lists', item: '[]', spec: { x: 'HOLE' } },
].map(({ name, item, spec }) =>
  requestCase({
    name: `JSON, 120,000: ${name}`,
    path: pods,
    body: () => around(pod(spec), `[${manyItems(item)}]`),
    codes: invalid,
  }),
);

const validated = [
  'unknown fields',
  'duplicate fields',
  'duplicate known fields',
  'containers with one unknown field each',
];

/** Unknown and repeated fields, with warnings and with refusals. */
export const fieldValidationCases: readonly HostileCase[] = ['Warn', 'Strict'].flatMap((level) =>
  rows
    .filter(({ name }) => validated.includes(name))
    .map((row) =>
      requestCase({
        codes: [201, 400, 409, 413, 422],
        ...row,
        path: `${pods}&fieldValidation=${level}`,
        name: `JSON, ${level}: ${row.name}`,
      }),
    ),
);

/** The worst ones at 100 KB. */
export const smallJsonCases: readonly HostileCase[] = [
  { name: 'empty containers', hole: `[${items('{}', 99_000)}]`, spec: { containers: 'HOLE' } },
  { name: 'wrong names of containers', hole: `[${items('{"name":"_"}', 99_000)}]`, spec: { containers: 'HOLE' } },
  {
    name: 'wrong ports',
    hole: `[${items('{}', 99_000)}]`,
    spec: { containers: [{ name: 'a', image: 'a', ports: 'HOLE' }] },
  },
  { name: 'unknown shapes', hole: `[${items((n) => `{"a${n}":1}`, 99_000)}]`, spec: { containers: 'HOLE' } },
  { name: 'a long number', hole: '1'.repeat(99_000), spec: { x: 'HOLE' } },
].map(({ name, hole, spec }) =>
  requestCase({
    name: `JSON, 100 KB: ${name}`,
    path: pods,
    body: () => around(pod(spec), hole),
    codes: invalid,
  }),
);
