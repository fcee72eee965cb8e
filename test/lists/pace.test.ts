import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { get } from 'node:https';
import { connect } from 'node:http2';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { inParallel } from '../in-parallel.ts';
import { adminTls, startTestServer, type TestServer } from '../server-fixture.ts';

const namespaces = ['default', 'kube-system'] as const;
const objectsPerNamespace = 60;
let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
  for (const namespace of namespaces) {
    await inParallel([...Array(objectsPerNamespace).keys()], 8, async (index) => {
      const body = { metadata: { name: `c${index}` }, data: { a: randomBytes(15_000).toString('hex') } };
      await client.send('POST', pathOf(namespace), { body });
    });
  }
});

afterAll(async () => {
  client?.[Symbol.dispose]();
  await server?.[Symbol.asyncDispose]();
});

function pathOf(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

/** A list that has begun, and whose reader waits. */
async function begun(path: string, version: 1 | 2, headers: Record<string, string>): Promise<Readable> {
  const tls = await adminTls(server.kubeconfigPath);
  if (version === 1) {
    const [response] = (await once(get(`${server.url}${path}`, { ...tls, headers, agent: false }), 'response')) as [
      Readable,
    ];
    return response;
  }
  const session = connect(server.url, tls);
  const stream = session.request({ ':path': path, ...headers });
  stream.once('close', () => session.close());
  await once(stream, 'response');
  return stream;
}

test.each([
  { over: 'HTTP/2', version: 2, encoding: 'identity' },
  { over: 'HTTP/1.1', version: 1, encoding: 'identity' },
  { over: 'HTTP/2, compressed', version: 2, encoding: 'gzip' },
] as const)(
  'a list that is read slowly is not changed by lists read meanwhile: $over',
  async ({ version, encoding }) => {
    const [slowly, fast] = namespaces;
    const whole = await client.bytes(pathOf(slowly), 'application/json');
    const slow = await begun(pathOf(slowly), version, { 'accept-encoding': encoding });
    const other = await client.bytes(pathOf(fast), 'application/json');
    for (let index = 0; index < 10; index += 1) {
      const { bytes } = await client.bytes(pathOf(fast), 'application/json');
      expect(bytes.equals(other.bytes)).toBe(true);
    }
    const read = await buffer(slow);
    expect((encoding === 'gzip' ? gunzipSync(read) : read).equals(whole.bytes)).toBe(true);
  },
);
