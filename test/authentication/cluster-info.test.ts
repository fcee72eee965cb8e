import { X509Certificate } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { root, serverNames, startServers } from './both-servers.ts';
import { makeAuthority } from './certificates.ts';

const path = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
const waiting = { timeout: 20_000, interval: 100 };

const opened = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-cluster-info-'));
opened.defer(() => rm(folder, { recursive: true, force: true }));
let urls: { readonly [name: string]: string };

async function write(name: string, pem: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(`${file}.new`, pem);
  await rename(`${file}.new`, file);
  return file;
}

async function send(name: string, method: string, body?: unknown): Promise<JsonObject> {
  using client = new TokenClient(urls[name] ?? '');
  const contentType = 'application/merge-patch+json';
  const answer = await client.send({ method, path, token: root, ...(body === undefined ? {} : { body, contentType }) });
  return answer.body as JsonObject; // the API answers JSON
}

/** Authorities by their names, without the one that a server has made for itself. */
async function dataOf(name: string): Promise<{ readonly [key: string]: unknown }> {
  const { data = {} } = (await send(name, 'GET')) as { data?: { readonly [key: string]: string } };
  const shown = Object.entries(data).map(([key, text]) => [key, key.endsWith('-ca-file') ? subjects(text) : text]);
  return Object.fromEntries(shown) as { readonly [key: string]: unknown };
}

function subjects(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN[^-]*-----[^-]*-----END[^-]*-----\n/g) ?? [];
  const all = blocks.map((block) => new X509Certificate(block).subject);
  return all.filter((subject) => !subject.startsWith('CN=binnacle-ca-'));
}

beforeAll(async () => {
  const started = await startServers(async (_, name) => [
    `--client-ca-file=${await write(`${name}-users.pem`, makeAuthority('users').pem)}`,
    `--requestheader-client-ca-file=${await write(`${name}-proxies.pem`, makeAuthority('proxies').pem)}`,
    '--requestheader-allowed-names=front,back',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-uid-headers=X-Remote-Uid',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
  ]);
  opened.use(started);
  ({ urls } = started);
}, 120_000);

afterAll(() => opened.disposeAsync());

describe.each(serverNames)('%s', (name) => {
  const asConfigured = {
    'client-ca-file': ['CN=users'],
    'requestheader-client-ca-file': ['CN=proxies'],
    'requestheader-allowed-names': '["front","back"]',
    'requestheader-username-headers': '["X-Remote-User"]',
    'requestheader-uid-headers': '["X-Remote-Uid"]',
    'requestheader-group-headers': '["X-Remote-Group"]',
    'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
  };

  test('tells by what users are known', async () => {
    await expect.poll(() => dataOf(name), waiting).toEqual(asConfigured);
  });

  test('tells it again when it is removed', async () => {
    const { uid } = (await send(name, 'GET'))['metadata'] as JsonObject;
    await send(name, 'DELETE');
    await expect.poll(() => dataOf(name), waiting).toEqual(asConfigured);
    expect((await send(name, 'GET'))['metadata']).not.toMatchObject({ uid });
  });

  test('adds a new authority to those that are told', async () => {
    await write(`${name}-users.pem`, makeAuthority('new users').pem);
    await expect
      .poll(() => dataOf(name), waiting)
      .toEqual({ ...asConfigured, 'client-ca-file': ['CN=users', 'CN=new users'] });
  });
});

test('readers of it are known by role', async () => {
  using client = new TokenClient(urls['binnacle'] ?? '');
  const of =
    '/apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles/extension-apiserver-authentication-reader';
  const { body } = await client.send({ method: 'GET', path: of, token: root });
  expect(body).toMatchObject({ rules: [{ resourceNames: ['extension-apiserver-authentication'] }] });
});
