import { join } from 'node:path';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { AdmissionregistrationV1Api, CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { expect, test } from 'vitest';
import { type AdmissionRequest, type ApiServer, type ApiServerWebhook, startApiServer } from '../../src/embed/index.ts';
import { wheelsDefinition, wheelVersion } from './wheels.ts';

function clientOf({ kubeconfig }: ApiServer): KubeConfig {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config;
}

const rules: ApiServerWebhook['rules'] = [
  { operations: ['CREATE', 'UPDATE', 'DELETE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
];

test('functions of the process change, deny and are asked about requests', async () => {
  const reviewed: AdmissionRequest[] = [];
  const defaults: ApiServerWebhook = {
    name: 'defaults.shop.example.com',
    rules,
    settings: { objectSelector: { matchLabels: { shop: 'yes' } } },
    mutate(request) {
      reviewed.push(request);
      if (request.object === null) return;
      request.object['data'] = { ...(request.object['data'] as object | undefined), given: '2' };
      delete request.object['immutable'];
    },
    validate({ operation, object }) {
      if (operation === 'DELETE') throw new Error('it stays');
      return Object.keys((object?.['data'] ?? {}) as object).map((key) => `has ${key}`);
    },
  };
  const replaced: ApiServerWebhook = {
    name: 'replaced.shop.example.com',
    rules,
    mutate: async ({ object }) => Promise.resolve({ ...object, data: { all: 'new' } }),
    settings: { matchConditions: [{ name: 'named', expression: "request.name == 'other'" }] },
  };
  const before = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'before', labels: { shop: 'yes' } } };
  await using server = await startApiServer({ objects: [before], webhooks: [defaults, replaced] });
  const core = clientOf(server).makeApiClient(CoreV1Api);
  const [namespace, labels] = ['default', { shop: 'yes' }];
  const create = (name: string, more: object = {}) =>
    core.createNamespacedConfigMap({
      namespace,
      body: { metadata: { name, ...more }, data: { own: '1' }, immutable: true },
    });
  const made = await create('a', { labels });
  expect(made).toMatchObject({ data: { own: '1', given: '2' } });
  expect(made.immutable).toBeUndefined();
  expect((await create('unlabelled')).data).toEqual({ own: '1' });
  expect((await create('other')).data).toEqual({ all: 'new' });
  await expect(core.deleteNamespacedConfigMap({ namespace, name: 'a' })).rejects.toMatchObject({
    code: 403,
    body: expect.stringContaining(
      'admission webhook \\"defaults.shop.example.com\\" denied the request: it stays',
    ) as string,
  });
  expect((await core.readNamespacedConfigMap({ namespace, name: 'before' })).data).toBeUndefined();
  expect(reviewed.map(({ operation, name, oldObject }) => [operation, name, oldObject === null])).toEqual([
    ['CREATE', 'a', true],
    ['DELETE', 'a', false],
  ]);
});

test('they are gone from a data directory when the server is', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-webhooks-'));
  const deny = { name: 'deny.shop.example.com', rules, validate: () => Promise.reject(new Error('no')) };
  await (await startApiServer({ dataDir, webhooks: [deny] })).close();
  {
    await using server = await startApiServer({ dataDir });
    const api = clientOf(server).makeApiClient(AdmissionregistrationV1Api);
    expect((await api.listValidatingWebhookConfiguration()).items).toEqual([]);
  }
  await rm(dataDir, { recursive: true });
});

test('a webhook that the server refuses fails the start', async () => {
  const short = { name: 'short', rules, mutate: () => undefined };
  await expect(startApiServer({ webhooks: [short] })).rejects.toThrow(
    /^webhook .*short.*: .*should be a domain with at least three segments/,
  );
});

test('functions of the process convert custom resources, also for clones', async () => {
  const definition = wheelsDefinition('Cluster', [
    wheelVersion('v1', 'inches', 'integer'),
    wheelVersion('v2', 'size', 'string'),
  ]);
  const convert = ({ inches, size, ...object }: Record<string, unknown>, apiVersion: string): object => {
    if (inches === 13) throw new Error('there is no such wheel');
    if (apiVersion === 'example.com/v2') return { ...object, size: `${String(inches)} in` };
    return { ...object, inches: Number.parseInt(String(size), 10) };
  };
  const wheel = (name: string, inches: number) => ({
    apiVersion: 'example.com/v1',
    kind: 'Wheel',
    metadata: { name },
    inches,
  });
  await using server = await startApiServer({
    definitions: [definition],
    objects: [wheel('front', 28), wheel('bad', 13)],
    conversions: { 'wheels.example.com': convert },
  });
  await using clone = await server.clone();
  for (const each of [server, clone]) {
    const api = clientOf(each).makeApiClient(CustomObjectsApi);
    const v2 = { group: 'example.com', version: 'v2', plural: 'wheels' };
    expect(await api.getClusterCustomObject({ ...v2, name: 'front' })).toMatchObject({ size: '28 in' });
    await expect(api.getClusterCustomObject({ ...v2, name: 'bad' })).rejects.toMatchObject({
      body: expect.stringContaining('there is no such wheel') as string,
    });
  }
  const unknown = startApiServer({ conversions: { 'nuts.example.com': convert } });
  await expect(unknown).rejects.toThrow('conversions: there is no definition nuts.example.com');
});
