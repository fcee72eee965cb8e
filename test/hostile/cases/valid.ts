import type { JsonValue } from '../../../src/api/json/json.ts';
import { encodeCbor } from '../../../src/codec/cbor/encode.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { namespaced } from '../text-bodies.ts';

interface LargeObject {
  readonly name: string;
  readonly path: string;
  readonly make: () => { readonly metadata: object };
  readonly boundMs?: number;
}

const of = <T>(length: number, item: (index: number) => T): T[] => Array.from({ length }, (_, index) => item(index));

const metadata = { name: 'large' };
const podOf =
  (container: (index: number) => object, count: number): LargeObject['make'] =>
  () => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata,
    spec: { containers: of(count, container) },
  });

/** Legitimate objects: as large as can be stored, or as a body can express. */
const objects: readonly LargeObject[] = [
  {
    name: 'config map of 1 MB in one key',
    path: namespaced('configmaps'),
    make: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { a: 'line of a file\n'.repeat(68_000) } }),
  },
  {
    name: 'config map of 50,000 keys',
    path: namespaced('configmaps'),
    make: () => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata,
      data: Object.fromEntries(of(50_000, (n) => [`k${n}`, 'a'])),
    }),
  },
  {
    name: 'pod of 5,000 containers',
    path: namespaced('pods'),
    make: podOf((n) => ({ name: `c${n}`, image: 'a' }), 5000),
  },
  {
    name: 'pod of 20,000 variables',
    path: namespaced('pods'),
    make: podOf((n) => ({ name: `c${n}`, image: 'a', env: of(20_000, (at) => ({ name: `V${at}`, value: 'a' })) }), 1),
  },
  {
    name: 'network policy of 15,000 rules',
    path: namespaced('networkpolicies', 'apis/networking.k8s.io/v1'),
    make: () => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata,
      spec: { podSelector: {}, ingress: of(15_000, (n) => ({ ports: [{ port: (n % 60_000) + 1 }] })) },
    }),
  },
  {
    name: 'definition of 1 MB',
    // Each thread that serves its kind compiles it.
    boundMs: 100,
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    make: () => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'larges.x.io' },
      spec: {
        group: 'x.io',
        scope: 'Namespaced',
        names: { plural: 'larges', singular: 'large', kind: 'Large', listKind: 'LargeList' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schemaOf(12_000) } }],
      },
    }),
  },
];

function schemaOf(properties: number): object {
  const property = (n: number): object => ({ type: 'string', description: `what number ${n} is for`, maxLength: 63 });
  return {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: Object.fromEntries(of(properties, (n) => [`p${n}`, property(n)])) },
    },
  };
}

interface Operation {
  readonly name: string;
  readonly request: (object: LargeObject, path: string) => HostileRequest;
  /** Whether it applies to an existing object. */
  readonly onStored: boolean;
}

const merge = 'application/merge-patch+json';
const strategic = 'application/strategic-merge-patch+json';
const json = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';
const cbor = 'application/cbor';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const small = JSON.stringify({ metadata: { annotations: { a: 'b' } } });
const read = (name: string, accept: string): Operation => ({
  name,
  onStored: true,
  request: (_, path) => ({ method: 'GET', path, headers: { accept } }),
});
const patch = (name: string, type: string, body: (object: LargeObject) => string | Uint8Array): Operation => ({
  name,
  onStored: true,
  request: (object, path) => ({
    method: 'PATCH',
    path: `${path}?fieldManager=hostile${type.includes('apply') ? '&force=true' : ''}`,
    headers: { 'content-type': type },
    body: body(object),
  }),
});
const text = (object: LargeObject): string => JSON.stringify(object.make());
const cborBody = (object: LargeObject): Uint8Array => encodeCbor(undefined, JSON.parse(text(object)) as JsonValue); // above

const operations: readonly Operation[] = [
  { name: 'create', onStored: false, request: (object) => ({ path: object.path, body: text(object) }) },
  {
    name: 'create in YAML',
    onStored: false,
    request: (object) => ({
      path: object.path,
      headers: { 'content-type': 'application/yaml' },
      body: JSON.stringify(object.make(), undefined, 1),
    }),
  },
  {
    name: 'create in CBOR',
    onStored: false,
    request: (object) => ({
      path: object.path,
      headers: { 'content-type': cbor, accept: cbor },
      body: cborBody(object),
    }),
  },
  {
    name: 'create, strictly',
    onStored: false,
    request: (object) => ({ path: `${object.path}?fieldValidation=Strict`, body: text(object) }),
  },
  patch('apply', apply, text),
  patch('apply in CBOR', 'application/apply-patch+cbor', cborBody),
  patch('merge patch', merge, () => small),
  patch('merge patch of all', merge, text),
  patch('JSON patch', json, () => JSON.stringify([{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }])),
  patch('strategic merge patch', strategic, () => small),
  patch('strategic merge patch of all', strategic, text),
  { name: 'update', onStored: true, request: (object, path) => ({ method: 'PUT', path, body: text(object) }) },
  read('get', 'application/json'),
  read('get in YAML', 'application/yaml'),
  read('get in protobuf', 'application/vnd.kubernetes.protobuf, application/json'),
  read('get in CBOR', cbor),
  read('get as a table', table),
  { name: 'list', onStored: true, request: ({ path }) => ({ method: 'GET', path }) },
  {
    name: 'list in YAML',
    onStored: true,
    request: ({ path }) => ({ method: 'GET', path, headers: { accept: 'application/yaml' } }),
  },
  {
    name: 'list in CBOR',
    onStored: true,
    request: ({ path }) => ({ method: 'GET', path, headers: { accept: cbor } }),
  },
  {
    name: 'watch',
    onStored: true,
    request: ({ path }) => ({ method: 'GET', path: `${path}?watch=true&timeoutSeconds=1` }),
  },
  {
    name: 'watch in CBOR',
    onStored: true,
    request: ({ path }) => ({
      method: 'GET',
      path: `${path}?watch=true&timeoutSeconds=1`,
      headers: { accept: cbor },
    }),
  },
  { name: 'delete', onStored: true, request: (_, path) => ({ method: 'DELETE', path }) },
];

const isDefinition = ({ path }: LargeObject): boolean => path.endsWith('customresourcedefinitions');

function validCase(object: LargeObject, { name, request, onStored }: Operation): HostileCase {
  const stored = `${object.path}/${isDefinition(object) ? 'larges.x.io' : 'large'}`;
  let bodyBytes = 0;
  return {
    name: `valid: ${object.name}, ${name}`,
    get bodyBytes() {
      return bodyBytes;
    },
    // Definitions have no strategic merge patch; a pod's containers are immutable; with managedFields an object may be
    // too large to store (500).
    codes: [200, 201, 202, 415, 422, 500],
    ...(object.boundMs === undefined ? {} : { boundMs: object.boundMs }),
    async prepare(client: HostileClient): Promise<void> {
      const body = text(object);
      bodyBytes = body.length;
      await gone(client, stored);
      if (!onStored) return;
      const { code, text: answer } = await client.send({ path: object.path, body });
      if (code !== 201) throw new Error(`${object.name} was answered ${code}: ${answer.slice(0, 300)}`);
    },
    send: async (client) => [await client.send(request(object, stored))],
  };
}

/** Pods terminate gracefully by default. */
async function gone(client: HostileClient, path: string): Promise<void> {
  let reply: Reply;
  do reply = await client.send({ method: 'DELETE', path: `${path}?gracePeriodSeconds=0` });
  while (reply.code === 200 || reply.code === 409);
}

export const validCases: readonly HostileCase[] = objects.flatMap((object) =>
  operations.map((operation) => validCase(object, operation)),
);
