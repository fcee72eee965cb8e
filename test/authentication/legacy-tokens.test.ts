import { readFileSync, writeFileSync } from 'node:fs';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { request } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { TokenClient } from '../authorization/token-client.ts';
import { EtcdProcess } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer } from '../server-fixture.ts';
import { serverConfigFor } from './flags.ts';
import { makeLegacyTokens } from './secret-rows.ts';

const opened = new AsyncDisposableStack();
const withReference = !skipWithoutReference();
const servers: { [name: string]: { readonly url: string; readonly tokens: ReadonlyMap<string, string> } } = {};

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-legacy-'));
  opened.defer(() => rm(folder, { recursive: true, force: true }));
  const tokenFile = join(folder, 'tokens.csv');
  writeFileSync(tokenFile, 'tok-root,root,u4,"system:masters"\n');
  const keyFile = join(folder, 'sa.key');
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  writeFileSync(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const flags = [`--token-auth-file=${tokenFile}`];
  const config = serverConfigFor([
    ...flags,
    '--authorization-mode=RBAC',
    `--service-account-signing-key-file=${keyFile}`,
  ]);
  const { url } = opened.use(await startTestServer({}, { inMemory: true }, { config: { ...config, controllers: [] } }));
  servers['binnacle'] = { url, tokens: await makeLegacyTokens(url, readFileSync(keyFile, 'utf8')) };
  if (!withReference) return;
  const etcd = opened.use(await EtcdProcess.start());
  const reference = opened.use(await startReference(etcd.url, flags));
  const tokens = await makeLegacyTokens(reference.url, readFileSync(reference.accountKeyFile, 'utf8'));
  servers['kube-apiserver'] = { url: reference.url, tokens };
}, 120_000);

afterAll(() => opened.disposeAsync());

/** The response to the token. */
async function shown(
  url: string,
  token: string,
): Promise<{ readonly code: number; readonly warning: string | undefined }> {
  const headers = { authorization: `Bearer ${token}` };
  const call = request(`${url}/api`, { agent: false, rejectUnauthorized: false, headers });
  call.end();
  const [{ statusCode = 0, headers: told }] = (await once(call, 'response')) as [
    { statusCode?: number; headers: { warning?: string }; resume(): void },
  ];
  return { code: statusCode, warning: told.warning };
}

describe.each(['binnacle', ...(withReference ? ['kube-apiserver'] : [])])('%s', (name) => {
  const server = () => servers[name] ?? { url: '', tokens: new Map<string, string>() };
  const today = new Date().toISOString().slice(0, 10);

  test.each([
    ['own', 200, undefined, today],
    [
      'generated',
      200,
      '299 - "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens."',
      today,
    ],
    ['invalid', 401, undefined, today],
    ['deleted', 401, undefined, undefined],
  ])('the token of the secret %s gets %d, and its use is recorded', async (secret, code, warning, label) => {
    const { url, tokens } = server();
    using client = new TokenClient(url);
    const labelOf = async (): Promise<unknown> => {
      const path = `/api/v1/namespaces/default/secrets/${secret}`;
      const { body } = await client.send({ method: 'GET', path, token: 'tok-root' });
      const { labels = {} } = ((body as JsonObject)['metadata'] ?? {}) as { readonly labels?: JsonObject };
      return labels['kubernetes.io/legacy-token-last-used'];
    };
    expect(await labelOf()).toBeUndefined();
    expect(await shown(url, tokens.get(secret) ?? '')).toEqual({ code, warning });
    await expect.poll(labelOf).toBe(label);
    // Cached or not, the second response is the same.
    expect(await shown(url, tokens.get(secret) ?? '')).toEqual({ code, warning });
  });

  test('uses are counted', async () => {
    const { url } = server();
    using client = new TokenClient(url);
    const { body } = await client.send({ method: 'GET', path: '/metrics', token: 'tok-root' });
    const counts = (body as string).matchAll(/^serviceaccount_(\w+) (\d+)$/gm);
    expect(Object.fromEntries([...counts].map(([, count = '', value]) => [count, Number(value)]))).toEqual({
      invalid_legacy_auto_token_uses_total: 2,
      legacy_auto_token_uses_total: 1,
      legacy_manual_token_uses_total: 1,
      legacy_tokens_total: 6,
      stale_tokens_total: 0,
      valid_tokens_total: 0,
    });
  });

  test('the start of tracking is published', async () => {
    const { url } = server();
    using client = new TokenClient(url);
    const path = '/api/v1/namespaces/kube-system/configmaps/kube-apiserver-legacy-service-account-token-tracking';
    const { body } = await client.send({ method: 'GET', path, token: 'tok-root' });
    expect((body as JsonObject)['data']).toEqual({ since: today });
  });
});
