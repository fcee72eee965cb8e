import { connect } from 'node:http2';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { AuthenticationV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { afterAll, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from '../../src/embed/index.ts';
import { adminTls } from '../server-fixture.ts';
import { wheelsDefinition } from './wheels.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-clones-'));
afterAll(() => rm(root, { recursive: true }));

function clientOf({ kubeconfig }: { readonly kubeconfig: string }): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const coreOf = (server: { readonly kubeconfig: string }): CoreV1Api => clientOf(server).makeApiClient(CoreV1Api);
const place = { namespace: 'default', name: 'a' };

function configMap(name: string, value: string) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' }, data: { value } };
}

async function names(server: ApiServer): Promise<string[]> {
  const { items } = await coreOf(server).listNamespacedConfigMap({ namespace: 'default' });
  return items.map(({ metadata }) => metadata?.name ?? '').filter((name) => name !== 'kube-root-ca.crt');
}

const wheels = wheelsDefinition('Cluster');
const wheel = { group: 'example.com', version: 'v1', plural: 'wheels', name: 'front' };

const prepared = {
  definitions: [wheels],
  objects: [
    configMap('a', 'one'),
    { apiVersion: 'example.com/v1', kind: 'Wheel', metadata: { name: 'front' }, size: 28 },
  ],
};

/** The code of a watch from a resource version: of the answer, or of the error that it begins with. */
async function watchFrom(server: ApiServer, resourceVersion: string): Promise<number> {
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  try {
    const path = `/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion=${resourceVersion}`;
    const stream = session.request({ ':path': path });
    const [headers] = (await once(stream, 'response')) as [{ readonly ':status': number }];
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const [line = ''] = Buffer.concat(chunks).toString().split('\n');
    if (headers[':status'] !== 200 || line === '') return headers[':status'];
    const { type, object } = JSON.parse(line) as { readonly type: string; readonly object: { readonly code: number } };
    return type === 'ERROR' ? object.code : 200;
  } finally {
    session.destroy();
  }
}

test('a clone has the objects, versions, kinds, users and tokens of its original, and a life of its own', async () => {
  const original = await startApiServer({ ...prepared, users: { alice: { groups: ['system:masters'] } } });
  const found = await coreOf(original).readNamespacedConfigMap(place);
  const account = { namespace: 'default', name: 'default' };
  await expect.poll(() => coreOf(original).readNamespacedServiceAccount(account)).toBeDefined();
  const token = await coreOf(original).createNamespacedServiceAccountToken({
    ...account,
    body: { spec: { audiences: [] } } as never,
  });
  const clone = await original.clone();
  expect(clone.url).not.toBe(original.url);
  expect(await coreOf(clone).readNamespacedConfigMap(place)).toEqual(found);
  expect(await clientOf(clone).makeApiClient(CustomObjectsApi).getClusterCustomObject(wheel)).toMatchObject({
    size: 28,
  });
  expect(await names({ ...clone, ...clone.users.alice })).toEqual(['a']);
  const body = { spec: { token: token.status?.token ?? '' } };
  const review = await clientOf(clone).makeApiClient(AuthenticationV1Api).createTokenReview({ body });
  expect(review.status?.user?.username).toBe('system:serviceaccount:default:default');
  // Whoever has read the original continues with the clone.
  expect(await watchFrom(clone, found.metadata?.resourceVersion ?? '')).toBe(200);

  await coreOf(clone).createNamespacedConfigMap({ namespace: 'default', body: configMap('b', 'one') });
  await coreOf(original).createNamespacedConfigMap({ namespace: 'default', body: configMap('c', 'one') });
  expect(await names(clone)).toEqual(['a', 'b']);
  expect(await names(original)).toEqual(['a', 'c']);
  const scratch = dirname(dirname(clone.kubeconfigPath));
  await original.close();
  await using second = await clone.clone();
  expect(await names(second)).toEqual(['a', 'b']);
  await clone.close();
  expect(await names(second)).toEqual(['a', 'b']);
  await second.close();
  expect(existsSync(scratch)).toBe(false);
  await expect(second.clone()).rejects.toThrow('clone: the server has been closed');
});

test('clones and resets need no file of the certificates', async () => {
  await using original = await startApiServer({ users: { alice: { groups: ['system:masters'] } } });
  const ofOriginal = coreOf(original);
  // Resolves when nothing is written any more.
  await original.snapshot();
  await rm(join(dirname(dirname(original.kubeconfigPath)), 'pki'), { recursive: true });
  await using clone = await original.clone();
  const authorityOf = ({ kubeconfig }: ApiServer): unknown => clientOf({ kubeconfig }).getCurrentCluster()?.caData;
  expect(authorityOf(clone)).toBe(authorityOf(original));
  expect(await names({ ...clone, ...clone.users.alice })).toEqual([]);
  expect(await readFile(clone.kubeconfigPath, 'utf8')).toBe(clone.kubeconfig);
  await original.reset();
  // With the credentials of before.
  expect((await ofOriginal.listNamespacedConfigMap({ namespace: 'kube-system' })).items).not.toEqual([]);
});

test('a reset returns to the state of the start, and to a later one that was remembered', async () => {
  await using server = await startApiServer(prepared);
  const core = coreOf(server);
  const before = await core.readNamespacedConfigMap(place);
  const replaced = await core.replaceNamespacedConfigMap({ ...place, body: configMap('a', 'two') });
  await core.createNamespacedConfigMap({ namespace: 'default', body: configMap('b', 'two') });
  await clientOf(server).makeApiClient(CustomObjectsApi).deleteClusterCustomObject(wheel);
  await server.reset();
  expect(await core.readNamespacedConfigMap(place)).toEqual(before);
  expect(await names(server)).toEqual(['a']);
  expect(await clientOf(server).makeApiClient(CustomObjectsApi).getClusterCustomObject(wheel)).toMatchObject({
    size: 28,
  });
  // No version denotes two states.
  const again = await core.replaceNamespacedConfigMap({ ...place, body: configMap('a', 'three') });
  expect(Number(again.metadata?.resourceVersion)).toBeGreaterThan(Number(replaced.metadata?.resourceVersion));

  await server.snapshot();
  await core.deleteNamespacedConfigMap(place);
  await server.reset();
  await server.reset();
  expect((await core.readNamespacedConfigMap(place)).data).toEqual({ value: 'three' });
});

test('watches end with a reset, and those that go on from before are told to list again', async () => {
  await using server = await startApiServer(prepared);
  const { metadata } = await coreOf(server).listNamespacedConfigMap({ namespace: 'default' });
  const version = metadata?.resourceVersion ?? '';
  const session = connect(server.url, await adminTls(server.kubeconfigPath));
  const watch = session.request({ ':path': '/api/v1/configmaps?watch=1' });
  watch.resume();
  await once(watch, 'response');
  const ended = once(watch, 'close');
  await server.reset();
  await ended;
  expect(await watchFrom(server, version)).toBe(410);
  const listed = await coreOf(server).listNamespacedConfigMap({ namespace: 'default' });
  expect(await watchFrom(server, listed.metadata?.resourceVersion ?? '')).toBe(200);
});

test('a clone returns to what it began with', async () => {
  await using original = await startApiServer(prepared);
  await coreOf(original).createNamespacedConfigMap({ namespace: 'default', body: configMap('b', 'one') });
  await using clone = await original.clone();
  await coreOf(clone).deleteNamespacedConfigMap(place);
  await clone.reset();
  expect(await names(clone)).toEqual(['a', 'b']);
});

test('a server on disk is cloned into memory, and cannot be reset', async () => {
  await using original = await startApiServer({ ...prepared, dataDir: join(root, 'kept') });
  await using clone = await original.clone();
  await coreOf(clone).deleteNamespacedConfigMap(place);
  expect(await names(clone)).toEqual([]);
  await clone.reset();
  expect(await names(clone)).toEqual(['a']);
  await expect(original.reset()).rejects.toMatchObject({ code: 'FOREIGN_STORE', message: /clone it/ });
  await expect(original.snapshot()).rejects.toMatchObject({ code: 'FOREIGN_STORE' });
});

test('webhooks that are functions are called for clones too, as long as there is one', async () => {
  const rules = [{ operations: ['CREATE' as const], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const webhook = {
    name: 'no.shop.example.com',
    rules,
    validate: ({ name }: { readonly name?: string }) => {
      if (name === 'b') throw new Error('not here');
    },
  };
  const original = await startApiServer({ webhooks: [webhook] });
  await using clone = await original.clone();
  await original.close();
  const created = coreOf(clone).createNamespacedConfigMap({ namespace: 'default', body: configMap('b', 'one') });
  await expect(created).rejects.toMatchObject({ code: 403, body: expect.stringContaining('not here') as string });
});

test('fifty servers run in one process, and end', { timeout: 120_000 }, async () => {
  await using original = await startApiServer(prepared);
  const clones = await Promise.all(Array.from({ length: 49 }, () => original.clone()));
  const found = await Promise.all(clones.map(names));
  expect(found).toEqual(clones.map(() => ['a']));
  expect(new Set(clones.map(({ url }) => url)).size).toBe(49);
  await Promise.all(clones.map((clone) => clone.close()));
  expect(await names(original)).toEqual(['a']);
});
