import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { EtcdProcess, etcdPath } from '../etcd-process.ts';
import { freePort } from '../free-port.ts';
import { Kubectl, kubectlPath } from '../kubectl/kubectl.ts';
import type { TestServer } from '../server-fixture.ts';
import { untilGone } from '../settled-object.ts';
import { startFront } from './front-server.ts';

// k8s.io/sample-apiserver, as .ci/install-components builds it.
const program = join(
  process.env['BINNACLE_REFERENCE'] ?? join(homedir(), '.cache', 'binnacle-reference'),
  'sample-apiserver',
);
const isMissing = !existsSync(program) || etcdPath === undefined || kubectlPath === undefined;
if (isMissing && process.env['CI'] === 'true') throw new Error(`there is no ${program}, etcd or kubectl`);
const group = 'wardle.example.com';

describe.skipIf(isMissing)('a real API server behind this one', () => {
  const opened = new AsyncDisposableStack();
  const kubectl = new Kubectl('default');
  let server: TestServer;
  let client: ApiClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-sample-'));
    opened.defer(() => rm(folder, { recursive: true, force: true }));
    const etcd = opened.use(await EtcdProcess.start());
    server = opened.use(await startFront());
    kubectl.server = server;
    client = opened.use(await ApiClient.connect(server));
    const port = await freePort();
    const sample = startSample(folder, { etcdUrl: etcd.url, kubeconfig: server.kubeconfigPath, port });
    opened.defer(() => stop(sample));
    await register(client, port);
    const served = async (): Promise<boolean> => {
      if (sample.exitCode !== null) throw new Error(readFileSync(join(folder, 'sample.log'), 'utf8').slice(-2000));
      return (await client.exchange('GET', `/apis/${group}/v1alpha1`, {})).text.includes('flunders');
    };
    // Its first checks may fail again while it still starts.
    let inARow = 0;
    for (const endMs = performance.now() + 60_000; inARow < 10; await sleep(100)) {
      inARow = (await served()) ? inARow + 1 : 0;
      if (performance.now() > endMs) throw new Error('the sample server is not available');
    }
  }, 90_000);

  afterAll(() => opened.disposeAsync());

  test('its objects are created, watched and deleted like others', async () => {
    const path = `/apis/${group}/v1alpha1/namespaces/default/flunders`;
    const events = client.watch(`${path}?watch=1`);
    const first = events.next();
    const manifest = { apiVersion: `${group}/v1alpha1`, kind: 'Flunder', metadata: { name: 'one' } };
    expect(await kubectl.with({ input: JSON.stringify(manifest) }).run`create --filename -`).toBe(
      'flunder.wardle.example.com/one created\n',
    );
    expect((await first).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'one' } } });
    expect(await kubectl.run`get flunders --output name`).toBe('flunder.wardle.example.com/one\n');
    expect(await kubectl.run`label flunder one height=low`).toContain('labeled');
    expect((await events.next()).value).toMatchObject({ type: 'MODIFIED' });
    expect(await kubectl.run`delete flunder one`).toContain('deleted');
    expect((await events.next()).value).toMatchObject({ type: 'DELETED' });
    await events.return(undefined);
  });

  test('its kinds are found and explained', async () => {
    const resources = await kubectl.run`api-resources --api-group ${group} --output name`;
    expect(resources.split('\n').filter(Boolean)).toEqual([
      'fischers.wardle.example.com',
      'flunders.wardle.example.com',
    ]);
    await expect.poll(async () => (await kubectl.result`explain flunder.spec`).code, { timeout: 20_000 }).toBe(0);
    expect(await kubectl.run`explain flunder.spec`).toContain('flunderReference');
    expect(await kubectl.run`get apiservices v1alpha1.${group} --no-headers`).toMatch(/default\/sample +True/);
    const { paths = {}, definitions = {} } = JSON.parse(await client.text('/openapi/v2')) as {
      readonly paths?: object;
      readonly definitions?: object;
    };
    expect(Object.keys(paths)).toContain(`/apis/${group}/v1alpha1/namespaces/{namespace}/flunders`);
    expect(Object.keys(definitions).filter((name) => name.endsWith('.v1alpha1.Flunder'))).toHaveLength(1);
    // What both have is the same but for its description.
    expect(Object.keys(definitions).filter((name) => /ObjectMeta_v\d$/.test(name))).toEqual([]);
  });

  test('it knows who asks, and asks back what he may do', async () => {
    const poor = { 'impersonate-user': 'poor' };
    const refused = await client.send('GET', `/apis/${group}/v1alpha1/flunders`, { headers: poor });
    expect(refused.body).toMatchObject({ code: 403, message: expect.stringContaining('"poor"') as string });
  });

  test.each(['Background', 'Foreground'])(
    'owners and dependents go, whoever has them: %s',
    async (propagationPolicy) => {
      const kinds = {
        flunders: {
          apiVersion: `${group}/v1alpha1`,
          kind: 'Flunder',
          path: `/apis/${group}/v1alpha1/namespaces/default`,
        },
        fischers: { apiVersion: `${group}/v1alpha1`, kind: 'Fischer', path: `/apis/${group}/v1alpha1` },
        configmaps: { apiVersion: 'v1', kind: 'ConfigMap', path: '/api/v1/namespaces/default' },
      };
      const make = async (plural: keyof typeof kinds, owner?: JsonObject): Promise<JsonObject> => {
        const { path, ...kind } = kinds[plural];
        const metadata = { name: 'chain', ownerReferences: owner === undefined ? [] : [owner] };
        const { code, body } = await client.send('POST', `${path}/${plural}`, { body: { ...kind, metadata } });
        expect(code, JSON.stringify(body)).toBe(201);
        const { uid } = body['metadata'] as { readonly uid: string };
        return { ...kind, name: 'chain', uid, blockOwnerDeletion: true };
      };
      const fischer = await make('fischers');
      await make('flunders', await make('configmaps', fischer));
      const path = `${kinds.fischers.path}/fischers/chain`;
      expect((await client.send('DELETE', path, { body: { propagationPolicy } })).code).toBe(200);
      await Promise.all(
        Object.entries(kinds).map(([plural, each]) => untilGone(client, `${each.path}/${plural}/chain`)),
      );
    },
  );

  test('a namespace takes its objects with it', async () => {
    await kubectl.run`create namespace pond`;
    const manifest = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'Flunder',
      metadata: { name: 'two', namespace: 'pond' },
    };
    await kubectl.with({ input: JSON.stringify(manifest) }).words(['create', '--namespace', 'pond', '--filename', '-']);
    await kubectl.run`delete namespace pond --timeout 30s`;
    const { body } = await client.send('GET', `/apis/${group}/v1alpha1/flunders`);
    expect(body['items']).toEqual([]);
  });
});

interface SampleOptions {
  readonly etcdUrl: string;
  readonly kubeconfig: string;
  readonly port: number;
}

function startSample(folder: string, { etcdUrl, kubeconfig, port }: SampleOptions): ChildProcess {
  const log = openSync(join(folder, 'sample.log'), 'w');
  const kubeconfigs = ['kubeconfig', 'authentication-kubeconfig', 'authorization-kubeconfig'];
  const child = spawn(
    program,
    [
      ...kubeconfigs.map((name) => `--${name}=${kubeconfig}`),
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      `--cert-dir=${join(folder, 'sample-pki')}`,
    ],
    { stdio: ['ignore', log, log] },
  );
  closeSync(log);
  return child;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

async function register(client: ApiClient, port: number): Promise<void> {
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  const body = { metadata: { name: 'sample' }, spec };
  expect((await client.send('POST', '/api/v1/namespaces/default/services', { body })).code).toBe(201);
  for (const version of ['v1alpha1', 'v1beta1']) {
    const service = { namespace: 'default', name: 'sample', port };
    const priorities = { groupPriorityMinimum: 1000, versionPriority: version === 'v1beta1' ? 15 : 10 };
    const apiService = {
      metadata: { name: `${version}.${group}` },
      spec: { group, version, ...priorities, service, insecureSkipTLSVerify: true },
    };
    const path = '/apis/apiregistration.k8s.io/v1/apiservices';
    expect((await client.send('POST', path, { body: apiService })).code).toBe(201);
  }
}
