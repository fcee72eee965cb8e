import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { ways } from './ask-who.ts';
import { review, root, serverNames, type Servers, startServers } from './both-servers.ts';
import { makeAuthority, makeClient, type Shown } from './certificates.ts';

const authority = makeAuthority('users');
const credentialId = 'authentication.kubernetes.io/credential-id';
const namespace = '/api/v1/namespaces/default';
let servers: Servers;

beforeAll(async () => {
  servers = await startServers(async (folder) => {
    const file = join(folder, 'users.crt');
    await writeFile(file, authority.pem);
    return [`--client-ca-file=${file}`];
  });
}, 120_000);

afterAll(() => servers[Symbol.asyncDispose]());

const notFound = 404;

describe.each(serverNames)('%s', (name) => {
  const url = (): string => servers.urls[name] ?? '';

  async function send(method: string, path: string, body?: object): Promise<JsonObject> {
    using client = new TokenClient(url());
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const answer = await client.send({ method, path, token: root, body, contentType });
    if (answer.code >= 300 && answer.code !== notFound) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body as JsonObject;
  }

  test.each(Object.entries(ways))('over %s a certificate without a name is nobody', async (_, ask) => {
    const tls = makeClient(authority, { subject: [['o', 'crew']] });
    expect(await ask(url(), { tls })).toBe('system:anonymous');
  });

  test('a certificate is told apart by its hash', async () => {
    const tls = makeClient(authority, { subject: [['cn', 'ann']] });
    const hash = new X509Certificate(tls.cert).fingerprint256.replaceAll(':', '').toLowerCase();
    expect(await extraOf(url(), { tls })).toEqual({ [credentialId]: [`X509SHA256=${hash}`] });
  });

  describe('tokens of an account', () => {
    const pod = {
      metadata: { name: 'p', finalizers: ['example.com/hold'] },
      spec: {
        nodeName: 'n',
        serviceAccountName: 'sa',
        automountServiceAccountToken: false,
        containers: [{ name: 'c', image: 'x' }],
      },
    };
    const bound = { boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'p' } };

    /** A new one, which no server has seen. */
    async function tokenFor(spec: object = bound): Promise<string> {
      const { status } = await send('POST', `${namespace}/serviceaccounts/sa/token`, { spec });
      return (status as { readonly token: string }).token;
    }

    async function isGood(token: string): Promise<boolean> {
      return ((await review(url(), token)) as { readonly authenticated?: boolean }).authenticated === true;
    }

    beforeAll(async () => {
      await send('POST', `${namespace}/serviceaccounts`, { metadata: { name: 'sa' } });
      await send('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
      await send('POST', `${namespace}/pods`, pod);
    });

    test('are told apart by their id', async () => {
      const token = await tokenFor({});
      const { jti } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { jti: string };
      expect(await extraOf(url(), { token })).toEqual({ [credentialId]: [`JTI=${jti}`] });
    });

    test(
      'outlive the node of their pod, its deletion while it lasts, and for ten seconds its end',
      { timeout: 60_000 },
      async () => {
        const [withoutNode, whileDeleted, afterwards, seen] = [
          await tokenFor(),
          await tokenFor(),
          await tokenFor(),
          await tokenFor(),
        ];
        await send('DELETE', '/api/v1/nodes/n');
        expect(await isGood(withoutNode)).toBe(true);
        const deleted = await send('DELETE', `${namespace}/pods/p?gracePeriodSeconds=0`);
        expect(deleted).toMatchObject({ metadata: { deletionTimestamp: expect.any(String) as string } });
        expect(await isGood(whileDeleted)).toBe(true);
        expect(await isGood(seen)).toBe(true);
        const seenMs = Date.now();
        await send('PATCH', `${namespace}/pods/p`, { metadata: { finalizers: null } });
        await expect.poll(() => isGood(afterwards), { timeout: 5_000 }).toBe(false);
        expect(await isGood(seen)).toBe(true);
        await expect.poll(() => isGood(seen), { timeout: 20_000, interval: 250 }).toBe(false);
        expect(Date.now() - seenMs).toBeGreaterThan(9_000);
      },
    );
  });
});

/** Extra values of the user who shows this. */
async function extraOf(
  url: string,
  { tls, token }: { readonly tls?: Shown; readonly token?: string },
): Promise<unknown> {
  const headers = {
    'content-type': 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const call = request(`${url}${path}`, { method: 'POST', agent: false, rejectUnauthorized: false, headers, ...tls });
  call.end('{"kind":"SelfSubjectReview","apiVersion":"authentication.k8s.io/v1"}');
  const [response] = (await once(call, 'response')) as [Readable];
  const { status } = JSON.parse(await text(response)) as { readonly status: { readonly userInfo: JsonObject } };
  return status.userInfo['extra'];
}
