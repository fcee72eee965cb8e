import { setTimeout as sleep } from 'node:timers/promises';
import type { HostileCase } from '../hostile-case.ts';
import type { HostileClient, HostileRequest, Reply } from '../hostile-client.ts';
import { putNode } from '../hostile-node.ts';
import { begin, portOf } from '../hostile-upstream.ts';
import { documentMisdeeds, group, pageMisdeeds, plainMisdeeds, requestMisdeeds } from '../misdeeds.ts';
import { RawConnection } from '../raw-client.ts';
import { adminTls } from '../../server-fixture.ts';

/** What clients get of servers like these; 0: a response that breaks off. */
const codes = [0, 200, 400, 404, 500, 502, 503, 504];
/** How long clients stay. */
const patienceMs = 1_000;
/** The size of the body of a client's request. */
const bodyBytes = 1 << 20;
/** The server's limit for OpenAPI documents. */
const documentBytes = 8 * 1024 * 1024;

const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const name = `v1.${group}`;
const path = `/apis/${group}/v1/things`;

async function putApiService(client: HostileClient, misdeed: string): Promise<void> {
  const port = await portOf(misdeed);
  const service = { namespace: 'default', name: 'hostile', port };
  const priorities = { groupPriorityMinimum: 1000, versionPriority: 10, insecureSkipTLSVerify: true };
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  await client.send({
    path: '/api/v1/namespaces/default/services',
    body: JSON.stringify({ metadata: { name: 'hostile' }, spec }),
  });
  await removeApiService(client);
  await client.send({
    path: apiServices,
    body: JSON.stringify({ metadata: { name }, spec: { group, version: 'v1', ...priorities, service } }),
  });
}

/** Requests are forwarded from now on. */
async function putServer(client: HostileClient, misdeed: string): Promise<void> {
  await putApiService(client, misdeed);
  const isAvailable = async (): Promise<boolean> => {
    const { text } = await client.send({ path: `${apiServices}/${name}`, method: 'GET' });
    return text.includes('"reason":"Passed"');
  };
  for (let tries = 0; !(await isAvailable()) && tries < 100; tries += 1) await sleep(100);
  await begin(misdeed);
}

async function removeApiService(client: HostileClient): Promise<void> {
  await client.send({ path: `${apiServices}/${name}`, method: 'DELETE' });
}

/** A request of a client that leaves after a while; it may read nothing until then. */
async function briefly(
  client: HostileClient,
  { method = 'GET', path: target = path, body }: Partial<HostileRequest>,
  reads: boolean,
): Promise<Reply> {
  if (!reads) client.session.setLocalWindowSize(65_535);
  const stream = client.session.request({ ':method': method, ':path': target }, { endStream: body === undefined });
  let [code, bytes] = [0, 0];
  stream.on('response', (headers) => (code = Number(headers[':status'])));
  stream.on('error', () => undefined);
  if (reads) stream.on('data', (chunk: Buffer) => (bytes += chunk.length));
  if (body !== undefined) stream.end(body);
  await Promise.race([new Promise((resolve) => void stream.once('close', resolve)), sleep(patienceMs)]);
  client[Symbol.dispose]();
  return { code, bytes, text: '' };
}

/** A client that asks for another protocol, and sends much. */
async function upgrading(connection: RawConnection, target: string): Promise<Reply> {
  connection.send(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n`);
  connection.send(Buffer.alloc(bodyBytes));
  await sleep(patienceMs);
  connection[Symbol.dispose]();
  return { code: 0, bytes: 0, text: '' };
}

interface Way {
  readonly name: string;
  readonly path: string;
  readonly prepare: (client: HostileClient, misdeed: string) => Promise<void>;
}

const aggregated: Way = { name: 'upstream', path, prepare: putServer };
const node = 'proxied';
/** As services and pods are proxied. */
const proxied: Way = {
  name: 'proxied',
  path: `/api/v1/nodes/${node}/proxy/things`,
  prepare: (client, misdeed) => putNode(client, node, misdeed),
};

function requestCaseOf(way: Way, misdeed: string): HostileCase {
  let others: HostileClient[] = [];
  let raw: RawConnection | undefined;
  return {
    name: `${way.name}: ${misdeed}`,
    bodyBytes: 0,
    // This server refuses nothing.
    codes: way === proxied ? codes.filter((code) => code !== 400) : codes,
    async prepare(client) {
      await way.prepare(client, misdeed);
      // Handshakes are not under test.
      others = [];
      while (others.length < 3) others.push(await client.another());
      const tls = await adminTls(client.kubeconfigPath);
      raw = await RawConnection.open({ url: client.url, tls }, 'http/1.1', { reads: false });
    },
    async send() {
      const [reading, idle, writing] = others;
      if (reading === undefined || idle === undefined || writing === undefined || raw === undefined) {
        throw new Error('the case is not prepared');
      }
      return Promise.all([
        briefly(reading, { path: way.path }, true),
        briefly(idle, { path: way.path }, false),
        briefly(writing, { path: way.path, method: 'POST', body: Buffer.alloc(bodyBytes) }, true),
        upgrading(raw, way.path),
      ]);
    },
  };
}

function pageCaseOf(misdeed: string): HostileCase {
  return {
    name: `upstream: ${misdeed}`,
    bodyBytes: 1_000_000,
    boundMs: 20,
    codes,
    prepare: (client) => putServer(client, misdeed),
    send: async (client) => [await briefly(client, {}, true)],
  };
}

const discovery = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

function documentCaseOf(misdeed: string): HostileCase {
  return {
    name: `upstream: ${misdeed}`,
    bodyBytes: documentBytes,
    // V8 takes a while to copy and to collect tens of thousands of resources.
    boundMs: misdeed.endsWith('000 resources') ? 80 : 20,
    codes,
    prepare: (client) => client.send({ path: apiServices, method: 'GET' }),
    async send(client) {
      await putApiService(client, misdeed);
      await sleep(2 * patienceMs);
      const requests: readonly HostileRequest[] = [
        { path: '/apis', headers: { accept: discovery } },
        { path: `/apis/${group}/v1?timeout=1s` },
        { path: '/openapi/v2' },
        { path: '/openapi/v3' },
      ];
      const replies = await Promise.all(requests.map((request) => client.send({ ...request, method: 'GET' })));
      await removeApiService(client);
      return replies;
    },
  };
}

/** Servers behind this one that misbehave. */
export const upstreamCases: readonly HostileCase[] = [
  ...requestMisdeeds.map((misdeed) => requestCaseOf(aggregated, misdeed)),
  ...plainMisdeeds.map((misdeed) => requestCaseOf(proxied, misdeed)),
  ...pageMisdeeds.map(pageCaseOf),
  ...documentMisdeeds.map(documentCaseOf),
];
