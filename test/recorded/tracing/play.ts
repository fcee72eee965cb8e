import { ApiClient, type Request } from '../../api-client.ts';
import type { TestServer } from '../../server-fixture.ts';
import type { Collector, ReceivedSpan } from '../../tracing/collector.ts';

/** A span with the spans below it, without what differs from run to run. */
export interface PlayedSpan {
  readonly name: string;
  readonly kind: number;
  readonly isFailed: boolean;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly string[];
  readonly below: readonly PlayedSpan[];
}

export interface PlayedRequest {
  readonly name: string;
  readonly code: number;
  readonly trace: readonly PlayedSpan[];
}

interface Step extends Request {
  readonly name: string;
  readonly method: string;
  readonly path: string;
}

const maps = '/api/v1/namespaces/default/configmaps';
const map = (name: string, data: object): object => ({ metadata: { name }, data });
const watching = 'watch=1&timeoutSeconds=1';
const protobuf = { accept: 'application/vnd.kubernetes.protobuf' };

const steps: readonly Step[] = [
  { name: 'create', method: 'POST', path: maps, body: map('a', { a: 'b' }) },
  { name: 'create what is there', method: 'POST', path: maps, body: map('a', { a: 'b' }) },
  { name: 'create what is invalid', method: 'POST', path: maps, body: map('A', { a: 'b' }) },
  { name: 'get', method: 'GET', path: `${maps}/a` },
  { name: 'get from the cache', method: 'GET', path: `${maps}/a?resourceVersion=0` },
  { name: 'get what is not there', method: 'GET', path: `${maps}/nope` },
  { name: 'get a status', method: 'GET', path: '/api/v1/namespaces/default/status' },
  { name: 'list', method: 'GET', path: maps },
  { name: 'list a page', method: 'GET', path: `${maps}?limit=1` },
  { name: 'list all', method: 'GET', path: '/apis/apps/v1/deployments' },
  { name: 'update', method: 'PUT', path: `${maps}/a`, body: map('a', { a: 'c' }) },
  {
    name: 'patch',
    method: 'PATCH',
    path: `${maps}/a`,
    body: { data: { x: 'y' } },
    contentType: 'application/merge-patch+json',
  },
  {
    name: 'apply',
    method: 'PATCH',
    path: `${maps}/a?fieldManager=x&force=true`,
    body: { apiVersion: 'v1', kind: 'ConfigMap', ...map('a', { x: 'z' }) },
    contentType: 'application/apply-patch+yaml',
  },
  { name: 'delete', method: 'DELETE', path: `${maps}/a` },
  {
    name: 'delete with options',
    method: 'DELETE',
    path: `${maps}/a`,
    body: { kind: 'DeleteOptions', apiVersion: 'v1' },
  },
  { name: 'delete all', method: 'DELETE', path: `${maps}?labelSelector=x=y` },
  { name: 'a path', method: 'GET', path: '/readyz/ping' },
  { name: 'another path', method: 'GET', path: '/version' },
  { name: 'a forbidden request', method: 'GET', path: maps, headers: { 'impersonate-user': 'joe' } },
  {
    name: 'a review',
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: { spec: { token: 'x' } },
  },
  {
    name: 'watch with the state',
    method: 'GET',
    path: `${maps}?${watching}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  },
  { name: 'watch', method: 'GET', path: `${maps}?${watching}` },
  { name: 'list in protobuf', method: 'GET', path: maps, headers: protobuf },
  {
    name: 'watch with the state in protobuf',
    method: 'GET',
    path: `${maps}?${watching}&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
    headers: protobuf,
  },
];

/** Sends traced requests, and returns what arrives at the collector about each. */
export async function playTraces(
  server: Pick<TestServer, 'url' | 'kubeconfigPath'>,
  collector: Collector,
): Promise<readonly PlayedRequest[]> {
  using client = await ApiClient.connect(server);
  const sent: { readonly name: string; readonly code: number; readonly traceId: string }[] = [];
  for (const [index, { name, method, path, headers, ...request }] of steps.entries()) {
    const traceId = (index + 1).toString(16).padStart(32, '0');
    const traced = {
      traceparent: `00-${traceId}-${parentId}-01`,
      tracestate: 'a=b',
      accept: 'application/json',
      'user-agent': 'test/1',
      ...headers,
    };
    // oxlint-disable-next-line no-await-in-loop -- one builds on the other
    const { code } = await client.exchange(method, path, { ...request, headers: traced });
    sent.push({ name, code, traceId });
  }
  return await Promise.all(
    sent.map(async ({ name, code, traceId }) => {
      const spans = await collector.trace(traceId, (all) => all.some(({ parentId: id }) => id === parentId));
      return { name, code, trace: below(parentId, spans) };
    }),
  );
}

const parentId = '00000000000000ab';

function below(id: string, spans: readonly ReceivedSpan[]): readonly PlayedSpan[] {
  return spans
    .filter((span) => span.parentId === id)
    .toSorted((a, b) => Number(a.startNanos - b.startNanos))
    .map(({ name, kind, statusCode, attributes, events, spanId }) => ({
      name,
      kind,
      isFailed: statusCode === 2,
      attributes: comparable(attributes),
      events: events.map((event) => event.name),
      below: below(spanId, spans),
    }));
}

/** Where values differ from run to run, only that there is one. */
const changing: ReadonlySet<string> = new Set([
  'audit-id',
  'server.port',
  'network.peer.port',
  'http.response.body.size',
  'server.address',
  'host',
]);

function comparable(attributes: ReceivedSpan['attributes']): PlayedSpan['attributes'] {
  return Object.fromEntries(
    Object.entries(attributes)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => [name, changing.has(name) ? typeof value : value]),
  );
}
