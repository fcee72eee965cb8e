import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Random } from '../robustness/random.ts';

/** A request of either protocol; header names in lower case. */
export interface SoakRequest {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers: { readonly [name: string]: string };
  readonly body?: string;
  readonly codes: readonly number[];
}

export interface SoakResponse {
  readonly status: number;
  readonly contentType: string;
  readonly encoding: string;
  readonly body: Buffer;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const json = { 'content-type': 'application/json' };
const documents = ['/metrics', '/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/apis', '/api', '/apis/apps/v1'];
const small = ['/healthz', '/livez', '/readyz', '/version', '/', '/readyz/ping', '/api/v1', '/statusz', '/flagz'];
const lists = [configMaps, '/api/v1/configmaps?limit=50', '/apis/rbac.authorization.k8s.io/v1/clusterroles'];
const table = ';as=Table;g=meta.k8s.io;v=v1';
const partial = ';as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
const forms = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  `application/json${table}`,
  `application/json${partial}`,
  `application/vnd.kubernetes.protobuf${partial}`,
];

/** What both protocols ask, whatever else they do. */
export function anyRequest(random: Random): SoakRequest {
  const encoding = random.chance(0.4) ? { 'accept-encoding': 'gzip' } : undefined;
  return random.pick(makers)(random, { ...encoding });
}

type Make = (random: Random, headers: { readonly [name: string]: string }) => SoakRequest;

function nameOf(random: Random): string {
  return `soak-${random.integer(0, 50)}`;
}

/** Sizes of objects that a lane serves, as they are sent and shown. */
const largeBytes = [70_000, 300_000] as const;

function largeObject(name: string, random: Random): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name },
    data: { text: 'y'.repeat(random.integer(...largeBytes)) },
  });
}

function objectOf(name: string, random: Random): string {
  return JSON.stringify({ metadata: { name }, data: { text: 'x'.repeat(random.integer(0, 20_000)) } });
}

/** Others change the same objects. */
const written = [200, 201, 404, 409];

const makers: readonly Make[] = [
  (random, headers) => ({ name: 'document', method: 'GET', path: random.pick(documents), headers, codes: [200] }),
  (random, headers) => ({ name: 'small', method: 'GET', path: random.pick(small), headers, codes: [200] }),
  (random, headers) => ({
    name: 'list',
    method: 'GET',
    path: random.pick(lists),
    codes: [200],
    headers: { ...headers, accept: random.pick(forms) },
  }),
  (random, headers) => ({
    name: 'get',
    method: 'GET',
    path: `${configMaps}/${nameOf(random)}`,
    headers,
    codes: [200, 404],
  }),
  (random, headers) => ({
    name: 'create',
    method: 'POST',
    path: configMaps,
    headers: { ...headers, ...json },
    codes: written,
    body: objectOf(nameOf(random), random),
  }),
  (random, headers) => {
    const name = nameOf(random);
    const path = `${configMaps}/${name}`;
    const body = objectOf(name, random);
    return { name: 'update', method: 'PUT', path, headers: { ...headers, ...json }, body, codes: written };
  },
  (random, headers) => ({
    name: 'patch',
    method: 'PATCH',
    path: `${configMaps}/${nameOf(random)}`,
    codes: written,
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    body: `{"metadata":{"labels":{"a":"${random.fraction()}"}}}`,
  }),
  (random, headers) => ({
    name: 'delete',
    method: 'DELETE',
    path: `${configMaps}/${nameOf(random)}`,
    headers,
    codes: written,
  }),
  (random, headers) => ({
    name: 'apply',
    method: 'PATCH',
    path: `${configMaps}/applied?fieldManager=soak&force=true`,
    codes: written,
    headers: { ...headers, 'content-type': 'application/apply-patch+yaml' },
    body: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"applied"},"data":{"a":"${random.fraction()}"}}`,
  }),
  (random, headers) => ({
    name: 'large create',
    method: 'POST',
    path: configMaps,
    headers: { ...headers, ...json },
    codes: written,
    body: largeObject(`large-${random.integer(0, 4)}`, random),
  }),
  (random, headers) => ({
    name: 'large apply',
    method: 'PATCH',
    path: `${configMaps}/large-0?fieldManager=soak&force=true`,
    headers: { ...headers, 'content-type': 'application/apply-patch+yaml' },
    codes: written,
    body: largeObject('large-0', random),
  }),
  (random, headers) => ({
    name: 'patch of a large one',
    method: 'PATCH',
    path: `${configMaps}/large-${random.integer(0, 4)}`,
    headers: { ...headers, 'content-type': 'application/merge-patch+json' },
    codes: written,
    body: `{"metadata":{"labels":{"a":"${random.fraction()}"}}}`,
  }),
  (random, headers) => ({
    name: 'large',
    method: 'GET',
    path: `${configMaps}/large-${random.integer(0, 4)}`,
    codes: [200, 404],
    headers: { ...headers, accept: random.pick(forms.slice(0, 3)) },
  }),
  (random, headers) => ({
    name: 'unread body',
    method: 'POST',
    path: random.pick(['/nothing', '/version', '/api/v1/nothing']),
    headers,
    body: 'x'.repeat(random.integer(0, 200_000)),
    codes: [404, 405],
  }),
  (_random, headers) => ({
    name: 'too large',
    method: 'POST',
    path: configMaps,
    codes: [413],
    headers: { ...headers, ...json },
    body: 'x'.repeat(3_500_000),
  }),
  (_random, headers) => ({
    name: 'nobody in particular',
    method: 'GET',
    path: configMaps,
    codes: [400],
    headers: { ...headers, 'impersonate-group': 'nobodies' },
  }),
  (_random, headers) => ({
    name: 'no such form',
    method: 'GET',
    path: configMaps,
    headers: { ...headers, accept: 'a/b' },
    codes: [406],
  }),
  (random, headers) => ({
    name: 'head',
    method: 'HEAD',
    path: random.pick(['/metrics', '/apis']),
    headers,
    codes: [200],
  }),
  (random, headers) => ({
    name: 'watch',
    method: 'GET',
    headers,
    codes: [200],
    path: `${configMaps}?watch=1&timeoutSeconds=1&allowWatchBookmarks=true${random.pick(['', '&resourceVersion=0'])}`,
  }),
];

/** Throws unless the answer is what the request may get, and whole. */
export async function checkResponse({ method, path, codes }: SoakRequest, answer: SoakResponse): Promise<void> {
  const { status, contentType, encoding } = answer;
  if (!codes.includes(status))
    throw new Error(`${method} ${path}: ${status} ${answer.body.toString().slice(0, 2_000)}`);
  if (method === 'HEAD') return;
  const body = encoding === 'gzip' ? await promisify(gunzip)(answer.body) : answer.body;
  const text = body.toString();
  const isEvents = path.includes('watch=1');
  if (contentType === 'application/json' || contentType.startsWith('application/json;')) {
    for (const value of isEvents ? text.split('\n').filter((line) => line !== '') : [text]) JSON.parse(value);
  } else if (contentType.includes('kubernetes.protobuf') && !text.startsWith('k8s\0')) {
    throw new Error(`${method} ${path}: ${text.slice(0, 50)}`);
  }
}
