import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/api/clock.ts';
import { openCertificateStore } from '../../src/authentication/pki/certificate-store.ts';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';

test('other servers are told whom to trust, and again when authorities change', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-authorities-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const made = async (name: string): Promise<string> => {
    const serverNames = { dnsNames: [], ipAddresses: [] };
    return (await openCertificateStore({ folder: join(folder, name), serverNames, clock: systemClock })).authority;
  };
  const [client, later, proxy] = await Promise.all([made('a'), made('b'), made('c')]);
  const [clientCaFile, proxyFile] = [join(folder, 'client.pem'), join(folder, 'proxy.pem')];
  await Promise.all([writeFile(clientCaFile, client), writeFile(proxyFile, proxy)]);
  const requestHeader = {
    ...configDefaults.authentication.requestHeader,
    clientCaFile: proxyFile,
    usernameHeaders: ['X-Remote-User'],
    allowedNames: ['front'],
  };
  const authentication = { ...configDefaults.authentication, clientCaFile, requestHeader };
  await using server = await startTestServer({}, {}, { config: { authentication } });
  using api = await ApiClient.connect(server);
  const data = async () => (await api.send('GET', path)).body['data'] as { readonly [key: string]: string };
  const count = (pem: string): number => pem.split('BEGIN CERTIFICATE').length - 1;
  const first = await data();
  // The server's own authority is among them.
  expect(count(first['client-ca-file'] ?? '')).toBe(2);
  expect(first['client-ca-file']).toContain(client.trim());
  expect(first).toMatchObject({
    'requestheader-client-ca-file': expect.stringContaining(proxy.trim()),
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-group-headers': '[]',
    'requestheader-allowed-names': '["front"]',
  });
  await writeFile(clientCaFile, later);
  await expect.poll(async () => (await data())['client-ca-file'], { timeout: 5000 }).toContain(later.trim());
  expect(count((await data())['client-ca-file'] ?? '')).toBe(3);
});
