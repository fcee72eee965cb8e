import { configMap, deployment, instance, places, pod, service } from '../objects.ts';
import { define, definition, definitionsPath } from '../definitions.ts';
import { script } from '../script.ts';
import { forEach, get, inNamespace, metadataListType, metadataType, patch, post, tableType } from '../steps.ts';

const space = 'columns';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const column = (name: string, jsonPath: string, type = 'string', more: object = {}): object => ({
  name,
  jsonPath,
  type,
  ...more,
});
const custom = {
  group: 'columns.example.com',
  plural: 'rows',
  kind: 'Row',
  properties: { spec: free, status: free },
  version: {
    additionalPrinterColumns: [
      column('Text', '.spec.text'),
      column('Number', '.spec.number', 'integer'),
      column('Share', '.spec.number', 'number'),
      column('Flag', '.spec.flag', 'boolean'),
      column('Time', '.spec.time', 'date'),
      column('First', '.spec.list[0].name'),
      column('All', '.spec.list[*].name'),
      column('Ready', '.status.conditions[?(@.type=="Ready")].status'),
      column('Last', '.spec.list[-1:].name'),
      column('Dotted', '.metadata.annotations.example\\.com/a'),
      column('Quoted', ".spec['text']"),
      column('Map', '.spec.map'),
      column('Wide', '.spec.text', 'string', { priority: 1, description: 'd', format: 'password' }),
      column('Label', '.metadata.labels.app'),
      column('Missing', '.spec.nope.nope'),
    ],
  },
} as const;
const rows = places.custom(custom.group, custom.plural, space);

const specs: { readonly [name: string]: object } = {
  full: {
    spec: {
      text: 'a',
      number: 3,
      flag: true,
      time: '2001-01-01T00:00:00Z',
      list: [{ name: 'x' }, { name: 'y' }],
      map: { a: 1 },
    },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  },
  empty: {},
  wrong: {
    spec: { text: 5, number: 'x', flag: 'yes', time: 'yesterday', list: 'z', map: 'm' },
    status: { conditions: 'none' },
  },
  nulls: { spec: { text: null, number: null, flag: null, time: null, list: [null], map: null } },
  other: {
    spec: {
      text: { a: 'b' },
      number: 1.5,
      flag: 0,
      time: 7,
      list: [{}, { name: null }, { name: 5 }],
      map: [1, 'a', null],
    },
  },
  large: {
    spec: {
      text: 'x'.repeat(300),
      number: 9_007_199_254_740_000,
      list: Array.from({ length: 20 }, (_, at) => ({ name: `n${at}` })),
    },
  },
};

const badColumns: { readonly [name: string]: unknown } = {
  'no type': { name: 'A', jsonPath: '.a' },
  'no path': { name: 'A', type: 'string' },
  'no name': { type: 'string', jsonPath: '.a' },
  'an unknown type': column('A', '.a', 'object'),
  'a path without a dot': column('A', 'a'),
  'a path in braces': column('A', '{.a}'),
  'an open bracket': column('A', '.a[0'),
  'an unknown format': column('A', '.a', 'string', { format: 'nope' }),
  'a negative priority': column('A', '.a', 'string', { priority: -1 }),
  'an array type': column('A', '.a', 'array'),
  'a filter': column('A', '.a[?(@.b>1)].c'),
  'a range': column('A', '.a[0:2]'),
  'a union': column('A', '.a[0,1]'),
  'a script': column('A', '.a[(@.length-1)]'),
};

const kinds: { readonly [name: string]: string } = {
  pods: places.pods(space),
  services: places.services(space),
  deployments: places.deployments(space),
  'config maps': places.configMaps(space),
  rows,
  namespaces: '/api/v1/namespaces',
  definitions: `${definitionsPath}/rows.columns.example.com`,
};

/** Reports: what `kubectl get` shows, of printer columns and built-in kinds. */
export const columns = script(
  'columns',
  inNamespace(space),
  define(custom),
  forEach(specs, (fields, name) => [
    post(
      `post ${name}`,
      rows,
      instance(custom, name, fields, { annotations: { 'example.com/a': 'note' }, labels: { app: name } }),
    ),
    get(`${name} as a row`, `${rows}/${name}`, { accept: tableType }),
    get(`${name} as a row without its object`, `${rows}/${name}?includeObject=None`, { accept: tableType }),
    get(`${name} as a row with its object`, `${rows}/${name}?includeObject=Object`, { accept: tableType }),
  ]),
  get('the definition with columns', `${definitionsPath}/rows.columns.example.com`),
  forEach(badColumns, (bad, name) =>
    post(
      `a column with ${name}`,
      `${definitionsPath}?dryRun=All`,
      definition({
        group: 'columns.example.com',
        plural: 'others',
        kind: 'Other',
        properties: { spec: free },
        version: { additionalPrinterColumns: [bad] },
      }),
    ),
  ),
  post('a pod', places.pods(space), pod('p')),
  post('a service', places.services(space), service('s', { clusterIP: 'None', ports: [{ port: 80 }] })),
  post('a deployment', places.deployments(space), deployment('d')),
  post('a config map', places.configMaps(space), configMap('c')),
  forEach(kinds, (collection, name) => [
    get(`${name}: a table`, `${collection}?labelSelector=nope`, { accept: tableType }),
    get(`${name}: a table or JSON`, `${collection}?labelSelector=nope`, { accept: `${tableType},application/json` }),
    get(`${name}: a table of v1beta1`, `${collection}?labelSelector=nope`, {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
    }),
    get(`${name}: a table of v2`, `${collection}?labelSelector=nope`, {
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v2',
    }),
    get(`${name}: a table in YAML`, `${collection}?labelSelector=nope`, {
      accept: 'application/yaml;as=Table;g=meta.k8s.io;v=v1',
    }),
    get(`${name}: unknown includeObject`, `${collection}?labelSelector=nope&includeObject=Nope`, { accept: tableType }),
    get(`${name}: metadata of a list`, `${collection}?labelSelector=nope`, { accept: metadataListType }),
    get(`${name}: metadata of one as of a list`, `${collection}?labelSelector=nope`, { accept: metadataType }),
    get(`${name}: an unknown form`, `${collection}?labelSelector=nope`, {
      accept: 'application/json;as=Nope;g=meta.k8s.io;v=v1',
    }),
  ]),
  post('a table as an answer to a POST', rows, instance(custom, 'posted', {}), { accept: tableType }),
  patch(
    'a table as an answer to a patch',
    'merge',
    `${rows}/posted`,
    { metadata: { labels: { a: 'b' } } },
    { accept: tableType },
  ),
  get('a watch as a table', `${rows}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dposted`, {
    accept: tableType,
  }),
  get(
    'a watch as a table with headers',
    `${rows}?watch=true&timeoutSeconds=1&fieldSelector=metadata.name%3Dposted&includeObject=Object`,
    { accept: tableType },
  ),
);
