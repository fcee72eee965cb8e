import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { gzipSync } from 'node:zlib';
import { builtInResources } from '../../../src/schema/kubernetes/resources.ts';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { around, configMap, items, namespaced, pod } from '../text-bodies.ts';

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Several clients, each with its own connection, send the same request several times. */
async function crowd(
  client: HostileClient,
  { clients, each, request }: { readonly clients: number; readonly each: number; readonly request: HostileRequest },
): Promise<readonly Reply[]> {
  const others: HostileClient[] = [];
  // Sequentially: handshakes are not under test.
  while (others.length < clients) others.push(await client.another());
  const replies = await Promise.all(others.flatMap((other) => times(each, () => other.send(request))));
  for (const other of others) other[Symbol.dispose]();
  return replies;
}

const pods = `${namespaced('pods')}?dryRun=All&fieldValidation=Ignore`;
const get = (path: string, accept = 'application/json'): HostileRequest => ({
  method: 'GET',
  path,
  headers: { accept },
});
const documents: Readonly<Record<string, HostileRequest>> = {
  'OpenAPI v2': get('/openapi/v2'),
  'OpenAPI v2 in protobuf': get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'),
  'OpenAPI v3 of v1': get('/openapi/v3/api/v1'),
  'aggregated discovery': get('/apis', 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'),
  'discovery of v1': get('/api/v1'),
  metrics: get('/metrics'),
};

const documentCases: readonly HostileCase[] = Object.entries(documents).map(([name, request]) => ({
  name: `crowd: 100 clients ask for ${name}`,
  bodyBytes: 20_000_000,
  codes: [200],
  // All may be decoded in the same turn of the event loop, which adds up.
  boundMs: 300,
  send: (client) => crowd(client, { clients: 100, each: 1, request }),
}));

/** Requests that change nothing, each counted by series of its own. */
const counted: readonly HostileRequest[] = builtInResources().flatMap(
  ({ group, version, plural, namespaced: inOne }) => {
    const prefix = `${group === '' ? '/api' : `/apis/${group}`}/${version}`;
    const everywhere = `${prefix}/${plural}`;
    const collection = inOne ? `${prefix}/namespaces/nowhere/${plural}` : everywhere;
    const targets = [
      ['GET', everywhere],
      ...['GET', 'POST', ...(inOne ? ['DELETE'] : [])].map((method) => [method, collection]),
      ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, `${collection}/nothing`]),
    ] as const;
    return ['', '?dryRun=All', '?dryRun=a'].flatMap((query) =>
      targets.map(([method = 'GET', path = '']) => ({ method, path: `${path}${query}` })),
    );
  },
);

const metricsCase: HostileCase = {
  name: 'crowd: 5 clients ask for metrics of thousands of series',
  bodyBytes: 5_000_000,
  codes: [200],
  // Each answer is a megabyte of text.
  boundMs: 40,
  async prepare(client) {
    for (const request of counted) await client.send(request);
  },
  send: (client) => crowd(client, { clients: 5, each: 1, request: get('/metrics') }),
};

const emptyContainers = (bytes: number): string => around(pod({ containers: 'HOLE' }), `[${items('{}', bytes)}]`);

function bodiesCase(
  name: string,
  row: { readonly clients: number; readonly each: number; readonly body: () => string; readonly long?: boolean },
): HostileCase {
  const { clients, each, long = false } = row;
  let body = '';
  return {
    name: `crowd: ${name}`,
    long,
    get bodyBytes() {
      return body.length * clients * each;
    },
    async prepare() {
      body = row.body();
    },
    // Late ones are answered at their deadline.
    codes: [201, 413, 422, 429, 500, 503, 504],
    boundMs: 100,
    send: (client) => crowd(client, { clients, each, request: { path: pods, body } }),
  };
}

const plainText = (bytes: number) => (): string => JSON.stringify(pod({}, { annotations: { a: 'a'.repeat(bytes) } }));

const gzipCases: readonly HostileCase[] = [
  {
    name: 'crowd: gzip that holds 1 GB',
    bodyBytes: 1_000_000,
    codes: [400, 415, 413],
    send: async (client) => [
      await client.send({
        path: pods,
        headers: { 'content-encoding': 'gzip' },
        body: gzipSync(Buffer.alloc(1 << 30, ' ')),
      }),
    ],
  },
];

/** Unread watches over connections with closed windows, while other clients write. */
function unreadCase({
  watches,
  writes,
  long,
}: {
  readonly watches: number;
  readonly writes: number;
  readonly long: boolean;
}): HostileCase {
  const perConnection = 50;
  return {
    name: `crowd: ${watches} unread watches during ${writes} writes`,
    long,
    // Everything written may be pending.
    bodyBytes: writes * 1200,
    // None of the requests is large: what many small ones take in a round of the event loop adds up.
    boundMs: 100,
    codes: [200, 201, 409],
    async send(client) {
      const crowdName = `w${Date.now()}`;
      const readers = await Promise.all(times(Math.ceil(watches / perConnection), () => client.another()));
      const streams = readers.flatMap(({ session }) =>
        times(perConnection, () =>
          session.request({ ':path': `${namespaced('configmaps')}?watch=true&labelSelector=crowd%3D${crowdName}` }),
        ),
      );
      for (const stream of streams) stream.on('error', () => undefined);
      await Promise.all(streams.map((stream) => once(stream, 'response')));
      const replies: Reply[] = [];
      const body = (n: number): string =>
        JSON.stringify({
          ...configMap({ data: { a: 'a'.repeat(1000), n: String(n) } }),
          metadata: { name: `${crowdName}-${n % 50}`, labels: { crowd: crowdName } },
        });
      for (let n = 0; n < 50; n += 1)
        replies.push(await client.send({ path: namespaced('configmaps'), body: body(n) }));
      for (let n = 50; n < writes; n += 50) {
        const group = times(50, (at) =>
          client.send({ method: 'PUT', path: `${namespaced('configmaps')}/${crowdName}-${at}`, body: body(n + at) }),
        );
        replies.push(...(await Promise.all(group)));
      }
      for (const reader of readers) reader[Symbol.dispose]();
      return replies;
    },
  };
}

/** Connections without requests after the TLS handshake. */
function idleCase({ count, long }: { readonly count: number; readonly long: boolean }): HostileCase {
  return {
    name: `crowd: ${count} idle connections`,
    long,
    // TLS itself takes about 100 KB each.
    bodyBytes: count * 20_000,
    codes: [200],
    // Handshakes cost CPU: how many run at a time depends on the machine.
    boundMs: 100,
    async send(client) {
      const { port, hostname } = new URL(client.url);
      const sockets = [];
      for (let n = 0; n < count; n += 20) {
        const group = times(20, () => connectTls({ host: hostname, port: Number(port), rejectUnauthorized: false }));
        for (const socket of group) socket.on('error', () => undefined);
        await Promise.all(group.map((socket) => once(socket, 'secureConnect')));
        sockets.push(...group);
      }
      const reply = await client.send(get('/readyz'));
      for (const socket of sockets) socket.destroy();
      return [reply];
    },
  };
}

export const crowdCases: readonly HostileCase[] = [
  ...documentCases,
  bodiesCase('10 bodies of 3 MB of empty containers', { clients: 10, each: 1, body: () => emptyContainers(2_900_000) }),
  bodiesCase('100 bodies of 3 MB of empty containers', {
    clients: 100,
    each: 1,
    body: () => emptyContainers(2_900_000),
    long: true,
  }),
  bodiesCase('20 bodies of 3 MB of one text', { clients: 20, each: 1, body: plainText(2_900_000) }),
  bodiesCase('100 bodies of 3 MB of one text', { clients: 100, each: 1, body: plainText(2_900_000), long: true }),
  bodiesCase('40 bodies of 100 KB of empty containers', {
    clients: 20,
    each: 2,
    body: () => emptyContainers(99_000),
  }),
  bodiesCase('2,000 bodies of 100 KB of empty containers', {
    clients: 40,
    each: 50,
    body: () => emptyContainers(99_000),
    long: true,
  }),
  bodiesCase('2,000 bodies of 100 KB of one text', { clients: 40, each: 50, body: plainText(99_000), long: true }),
  ...gzipCases,
  unreadCase({ watches: 200, writes: 1000, long: false }),
  unreadCase({ watches: 2000, writes: 10_000, long: true }),
  idleCase({ count: 400, long: false }),
  idleCase({ count: 4000, long: true }),
  metricsCase,
];
