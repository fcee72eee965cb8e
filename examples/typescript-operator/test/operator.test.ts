import { CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { apiServerTest } from 'binnacle/vitest';
import { expect } from 'vitest';
import { runOperator } from '../src/operator.ts';

const test = apiServerTest({ definitions: ['config/crd'] }).extend('operated', async ({ clone }, { onCleanup }) => {
  const config = new KubeConfig();
  config.loadFromString(clone.kubeconfig);
  const errors: unknown[] = [];
  const operator = await runOperator(config, (error) => errors.push(error));
  onCleanup(() => operator.stop());
  return { websites: config.makeApiClient(CustomObjectsApi), core: config.makeApiClient(CoreV1Api), errors };
});

const websites = { group: 'example.com', version: 'v1', plural: 'websites', namespace: 'default' };
const page = { namespace: 'default', name: 'home-page' };
const home = (text: string) => ({
  apiVersion: 'example.com/v1',
  kind: 'Website',
  metadata: { name: 'home' },
  spec: { text },
});

test('a website gets a page, and knows its name', async ({ operated }) => {
  const { core, websites: api } = operated;
  await api.createNamespacedCustomObject({ ...websites, body: home('Hello & welcome') });
  await expect
    .poll(async () => (await core.readNamespacedConfigMap(page)).data)
    .toEqual({ 'index.html': '<h1>Hello &amp; welcome</h1>' });
  await expect
    .poll(() => api.getNamespacedCustomObject({ ...websites, name: 'home' }))
    .toMatchObject({ status: { page: 'home-page' } });
  expect(operated.errors).toEqual([]);
});

test('a page goes with its website', async ({ operated }) => {
  const { core, websites: api } = operated;
  await api.createNamespacedCustomObject({ ...websites, body: home('Hello') });
  await expect.poll(() => core.readNamespacedConfigMap(page)).toBeDefined();
  await api.deleteNamespacedCustomObject({ ...websites, name: 'home' });
  await expect
    .poll(() => core.readNamespacedConfigMap(page).catch((error: { code: number }) => error.code), { timeout: 10_000 })
    .toBe(404);
});

test('a website without a text is refused', async ({ operated }) => {
  const body = { ...home(''), spec: {} };
  const created = operated.websites.createNamespacedCustomObject({ ...websites, body });
  await expect(created).rejects.toMatchObject({ code: 422 });
});
