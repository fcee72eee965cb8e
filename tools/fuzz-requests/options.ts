import { pick, type Random } from '../random-objects/random.ts';

// Query parameters and headers.

type Choices = { readonly [parameter: string]: readonly string[] };

const versions = [
  '',
  '0',
  '{{version}}',
  '{{version}}',
  '{{list}}',
  '999999999',
  '-1',
  'x',
  '0{{version}}',
  '{{version}}0000',
];
const booleans = ['true', 'false', '1', '0', '', 'x', 'TRUE', 't'];
const selectors = [
  'app=x',
  'app!=x',
  'app',
  '!app',
  'app in (x,y)',
  'a=b,c',
  '',
  'app==x',
  'A_B/c=d',
  'app notin (x)',
  'app>1',
  '=',
  'app=x y',
];
const fields = [
  'metadata.name=a',
  'metadata.name!=a',
  'metadata.namespace={{space}}',
  'metadata.name=a,metadata.name=b',
  'metadata.name=',
  'spec.x=1',
  'status.phase=Running',
  'type=Opaque',
  '',
  'metadata.name',
  'metadata.name=A/b',
  'involvedObject.name=a',
  'spec.nodeName=',
];
const managers = ['one', 'two', '', 'a\nb', 'x'.repeat(129), 'é', 'kubectl-client-side-apply'];
const dryRuns = ['All', '', 'all', 'None', 'All&dryRun=All', 'All&dryRun=x'];
const validations = ['Strict', 'Warn', 'Ignore', '', 'strict', 'x'];
const pretties: Choices = { pretty: [...booleans, ''] };
const junk: Choices = {
  x: ['1'],
  fieldSelektor: ['a'],
  exact: ['true'],
  export: ['true'],
  kind: ['x'],
  apiVersion: ['v1', 'meta.k8s.io/v1', 'x'],
};

const reading: Choices = { ...pretties, ...junk, resourceVersion: versions };
const listing: Choices = {
  ...reading,
  limit: ['1', '2', '0', '-1', 'x', '', '500', '9223372036854775808', '1.5'],
  continue: ['{{continue}}', '', 'x', 'e30', '{{continue}}x'],
  resourceVersionMatch: ['NotOlderThan', 'Exact', '', 'x', 'exact'],
  labelSelector: selectors,
  fieldSelector: fields,
  timeoutSeconds: ['1', '0', '-1', 'x', '10', '1s', '999999999999'],
  sendInitialEvents: booleans,
  allowWatchBookmarks: booleans,
  shardSelector: [
    '',
    'x',
    "shardRange(object.metadata.uid, '0x0000000000000000', '0x10000000000000000')",
    "shardRange(object.metadata.uid, '0x8000000000000000', '0x0000000000000000')",
  ],
};
/** The events of a kind are kept from its first request on. */
const watching: Choices = {
  ...listing,
  resourceVersion: ['', '0', '{{version}}', '999999999', 'x'],
  timeoutSeconds: ['1'],
};
const writing: Choices = {
  ...pretties,
  ...junk,
  dryRun: dryRuns,
  fieldManager: managers,
  fieldValidation: validations,
  timeout: ['10s', '0', '-1s', 'x', '1h', '5'],
};
const patching: Choices = { ...writing, force: booleans };
const deleting: Choices = {
  ...pretties,
  ...junk,
  dryRun: dryRuns,
  gracePeriodSeconds: ['0', '1', '-1', 'x', '', '30', '1.5'],
  propagationPolicy: ['Foreground', 'Background', 'Orphan', '', 'x', 'foreground'],
  orphanDependents: booleans,
  ignoreStoreReadErrorWithClusterBreakingPotential: booleans,
};
const collecting: Choices = { ...listing, ...deleting };

export const queries = { reading, listing, watching, writing, patching, deleting, collecting } as const;

/** A query of a few parameters, mostly with valid values. */
export function randomQuery(random: Random, choices: Choices, { most = 3, must = '' } = {}): string {
  const names = Object.keys(choices);
  const parts = must === '' ? [] : [must];
  const count = most === 0 || random() < 0.35 ? 0 : 1 + Math.floor(random() * most);
  for (let made = 0; made < count; made += 1) {
    const name = pick(random, names);
    const values = choices[name] ?? [];
    const value =
      random() < 0.6 ? (values[Math.floor(random() * Math.min(3, values.length))] ?? '') : pick(random, values);
    const [first = '', ...rest] = value.split('&');
    parts.push([`${name}=${encoded(first)}`, ...rest].join('&'));
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll('%7B%7B', '{{').replaceAll('%7D%7D', '}}');
}

const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const partial = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const partialList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const accepts: readonly string[] = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  '*/*',
  table,
  partial,
  partialList,
  `${table}, application/json`,
  `${table},${partial}`,
  'text/html',
  'application/*',
  '',
  'x',
  '*',
  'application/json;q=0.1, application/yaml',
  'application/json;as=Table;g=meta.k8s.io;v=v1beta1',
  'application/json;stream=watch',
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;stream=watch',
  'application/json;pretty=1',
  'application/json;charset=utf-8',
  'application/json;as=x',
  'application/json;as=Table;g=meta.k8s.io;v=v2',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
  'application/json;profile=x',
  'application/json;as=Table',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
  'application/cbor-seq',
  'application/cbor;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'text/*;q=1, application/json',
  ';',
  'application/json;;',
  'application/json;profile=nopeer;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1,application/json',
];

/** Mostly JSON. */
export function randomAccept(random: Random): string {
  return random() < 0.6 ? 'application/json' : pick(random, accepts);
}
