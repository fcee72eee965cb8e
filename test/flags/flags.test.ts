import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { startServer } from '../../src/server/start-server.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0 };

/** How the server negotiates a key exchange with a client that only has this one. */
async function exchangeWith(url: string, ecdhCurve: string): Promise<string> {
  const { port } = new URL(url);
  const socket = connectTls({ port: Number(port), rejectUnauthorized: false, ecdhCurve });
  try {
    await once(socket, 'secureConnect');
    return 'agreed';
  } catch {
    return 'refused';
  } finally {
    socket.destroy();
  }
}

test('only the preferred key exchanges are offered', async () => {
  const config = { serving: { ...serving, tlsCurves: ['P-384', 'X25519MLKEM768'] } };
  await using server = await startTestServer({}, {}, { config });
  expect(await exchangeWith(server.url, 'P-384')).toBe('agreed');
  expect(await exchangeWith(server.url, 'X25519MLKEM768')).toBe('agreed');
  expect(await exchangeWith(server.url, 'P-256')).toBe('refused');
});

test('servers share a port if both permit it', async () => {
  const shared = { ...serving, sharesPort: true };
  await using server = await startTestServer({}, {}, { config: { serving: shared } });
  const { port } = new URL(server.url);
  const other = (sharesPort: boolean): ServerConfig => ({
    ...configDefaults,
    dataDir: `${server.scratchDir}/other`,
    serving: { ...serving, securePort: Number(port), sharesPort },
    logging: { ...configDefaults.logging, level: 'silent' },
  });
  await expect(startServer(other(false))).rejects.toThrow('EADDRINUSE');
  const second = await startServer(other(true));
  expect(second.url).toBe(server.url);
  await second.close();
});

test('the external hostname is the address in discovery', async () => {
  const config = { serving: { ...serving, securePort: 0, externalHostname: 'api.example.com' } };
  await using server = await startTestServer({}, {}, { config });
  using client = await ApiClient.connect(server);
  const { body } = await client.send('GET', '/api');
  const [address] = body['serverAddressByClientCIDRs'] as JsonObject[];
  expect(address?.['serverAddress']).toMatch(/^api\.example\.com:\d+$/);
});

test('without the garbage collector, deletions ignore what they say about dependents', async () => {
  await using server = await startTestServer({ collectsGarbage: false });
  using client = await ApiClient.connect(server);
  for (const propagationPolicy of ['Orphan', 'Foreground']) {
    await client.send('POST', configMaps, { body: { metadata: { name: 'owner' } } });
    expect((await client.send('DELETE', `${configMaps}/owner`, { body: { propagationPolicy } })).code).toBe(200);
    expect((await client.send('GET', `${configMaps}/owner`)).code).toBe(404);
  }
});

test('a collection is deleted by so many workers', async () => {
  const config = { requests: { ...configDefaults.requests, deletionsAtOnce: 1 } };
  await using server = await startTestServer({}, {}, { config });
  using client = await ApiClient.connect(server);
  const names = ['a', 'b', 'c', 'd'];
  for (const name of names) await client.send('POST', configMaps, { body: { metadata: { name } } });
  const { body } = await client.send('GET', configMaps);
  const { resourceVersion } = body['metadata'] as { resourceVersion: string };
  expect((await client.send('DELETE', configMaps)).code).toBe(200);
  const seen: string[] = [];
  for await (const { type, object } of client.watch(`${configMaps}?watch=1&resourceVersion=${resourceVersion}`)) {
    if (type === 'DELETED') seen.push((object['metadata'] as { name: string }).name);
    if (seen.length === names.length) break;
  }
  expect(seen).toEqual(names);
});

test('connections over HTTP/2 are ended at random', async () => {
  const config = { serving: { ...serving, goawayChance: 1 } };
  await using server = await startTestServer({}, {}, { config });
  using client = await ApiClient.connect(server);
  expect((await client.send('GET', configMaps)).code).toBe(200);
  await expect.poll(() => client.usable).toBe(false);
});

test('only the plugins of --admission-control are enabled', async () => {
  const admission = { ...configDefaults.admission, onlyPlugins: ['AlwaysDeny'] };
  await using server = await startTestServer(
    {},
    {},
    { config: { admission, logging: { ...configDefaults.logging, level: 'silent' } } },
  );
  using client = await ApiClient.connect(server);
  const { code, body } = await client.send('POST', configMaps, { body: { metadata: { name: 'denied' } } });
  expect([code, body['message']]).toEqual([403, expect.stringContaining('denying all')]);
});
