import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { skipWithoutReference, startReference } from '../reference-server.ts';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { configuration } from './configurations.ts';
import { KmsPlugin } from './kms-plugin.ts';

// A server whose values two KMS plugins have encrypted is restarted while one of them is down.

const skip = etcdPath === undefined || skipWithoutReference();
const folder = await mkdtemp(join(tmpdir(), 'binnacle-kms-restart-'));
afterAll(() => rm(folder, { recursive: true }));

const secrets = '/api/v1/namespaces/default/secrets';

/** One of the two servers. */
interface Restartable extends AsyncDisposable {
  readonly server: Pick<TestServer, 'url' | 'kubeconfigPath'>;
  /** Resolves once it serves, ready or not. */
  restart(): Promise<void>;
}

async function there(configFile: string): Promise<Restartable> {
  const etcd = await EtcdProcess.start();
  const flags = [`--encryption-provider-config=${configFile}`];
  const server = await startReference(etcd.url, flags);
  return {
    server,
    async restart() {
      await server.stop();
      await server.start(flags, '/version');
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await etcd[Symbol.asyncDispose]();
    },
  };
}

async function here(configFile: string): Promise<Restartable> {
  const server = await startTestServer({}, { encryption: { configFile, automaticReload: false } });
  return {
    server,
    restart: () => server.restart(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

type Responses = Readonly<Record<string, unknown>>;

/** Without what differs from run to run. */
function comparable(text: string): string {
  return text
    .replaceAll(folder, '')
    .replaceAll(/\/(?:here|there)-/g, '/')
    .replaceAll(/[0-9a-f-]{36}/g, 'UID');
}

async function seen(client: ApiClient): Promise<Responses> {
  const answers: Record<string, unknown> = {};
  const note = async (method: string, path: string, request = {}): Promise<void> => {
    const { code, body } = await client.send(method, path, request);
    const { message = '', reason = '' } = body as { readonly message?: string; readonly reason?: string };
    answers[`${method} ${path}`] = [code, reason, comparable(message)];
  };
  for (const name of ['by-old', 'by-new']) {
    await note('GET', `${secrets}/${name}`);
    await note('GET', `${secrets}/${name}?resourceVersion=0`);
    const patch = { body: { metadata: { labels: { a: 'b' } } }, contentType: 'application/merge-patch+json' };
    await note('PATCH', `${secrets}/${name}?dryRun=All`, patch);
    await note('DELETE', `${secrets}/${name}?dryRun=All`);
  }
  await note('GET', secrets);
  await note('GET', `${secrets}?limit=1`);
  await note('POST', secrets, { body: { metadata: { name: 'while-down' } } });
  await note('GET', '/api/v1/namespaces/default/configmaps');
  for (const endpoint of ['healthz', 'livez', 'readyz']) {
    const lines = (await client.text(`/${endpoint}?verbose`)).split('\n');
    answers[endpoint] = lines.filter((line) => line.includes('kms') || line.startsWith(endpoint)).map(comparable);
    answers[`${endpoint} of plugins`] = (await client.exchange('GET', `/${endpoint}/kms-providers`, {})).code;
  }
  return answers;
}

async function played(
  name: 'here' | 'there',
  down: 'old' | 'new',
  open: (configFile: string) => Promise<Restartable>,
): Promise<Responses> {
  const place = `${name}-${down}`;
  await using older = await KmsPlugin.start(join(folder, `${place}-old.sock`));
  await using newer = await KmsPlugin.start(join(folder, `${place}-new.sock`));
  const configFile = join(folder, `${place}.json`);
  const provider = (of: string, { endpoint }: KmsPlugin) => ({
    kms: { apiVersion: 'v2', name: of, endpoint, timeout: '3s' },
  });
  const write = (...providers: readonly object[]): Promise<void> =>
    writeFile(configFile, configuration(['secrets'], providers));
  await write(provider('old', older));
  await using running = await open(configFile);
  const make = async (made: string): Promise<void> => {
    using client = await ApiClient.connect(running.server);
    const post = async (): Promise<number> =>
      (await client.send('POST', secrets, { body: { metadata: { name: made } } })).code;
    // The plugin may still be asked for its key.
    await expect.poll(post, { timeout: 30_000 }).toBe(201);
  };
  await make('by-old');
  await write(provider('new', newer), provider('old', older));
  await running.restart();
  await make('by-new');
  const gone = down === 'old' ? older : newer;
  await gone.end();
  await running.restart();
  using client = await ApiClient.connect(running.server);
  const whileDown = await seen(client);
  await gone.begin();
  await expect.poll(() => client.text('/readyz'), { timeout: 60_000, interval: 500 }).toBe('ok');
  const codes = async (): Promise<readonly number[]> => {
    const paths = [`${secrets}/by-old`, `${secrets}/by-new`, secrets];
    return await Promise.all(paths.map(async (path) => (await client.send('GET', path)).code));
  };
  await expect.poll(codes, { timeout: 60_000 }).toEqual([200, 200, 200]);
  return whileDown;
}

describe.skipIf(skip)('a restart while a plugin is down', () => {
  test.each(['old', 'new'] as const)('the %s one: as with kube-apiserver', { timeout: 300_000 }, async (down) => {
    const mine = await played('here', down, here);
    const reference = await played('there', down, there);
    const list = `GET ${secrets}`;
    const { [list]: myList, livez: myLife, ...others } = mine;
    const { [list]: itsList, livez: itsLife, ...itsOthers } = reference;
    expect(others).toEqual(itsOthers);
    const problem = expect.stringMatching(
      `failed to read one or more secrets from the storage: .*/by-${down}, .*: got unexpected nil transformer$`,
    );
    // There, a watch cache that cannot begin has clients come again; here they are told what is wrong.
    expect(myList).toEqual([500, 'StorageReadError', problem]);
    expect(itsList).toEqual([429, 'TooManyRequests', problem]);
    // There, the start waits for all secrets to be read. A server that is alive would be restarted in vain.
    expect([myLife, itsLife]).toEqual([['livez check passed'], ['livez check failed']]);
  });
});
