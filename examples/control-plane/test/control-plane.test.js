import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { startControlPlane } from '../control-plane.js';

const dataDir = await mkdtemp(join(tmpdir(), 'control-plane-'));
after(() => rm(dataDir, { recursive: true }));

const parcels = { group: 'post.example.com', version: 'v1', plural: 'parcels', namespace: 'default' };
const parcel = (spec) => ({
  apiVersion: 'post.example.com/v1',
  kind: 'Parcel',
  metadata: { name: 'book' },
  spec: { destination: 'Bergen', grams: 400, ...spec },
});

function clientOf({ kubeconfig }) {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  return config.makeApiClient(CustomObjectsApi);
}

async function delivered(api) {
  for (;;) {
    const { status } = await api.getNamespacedCustomObject({ ...parcels, name: 'book' });
    if (status?.state === 'Delivered') return;
    await sleep(20);
  }
}

test('parcels are checked, delivered, and there after a restart', { timeout: 60_000 }, async () => {
  const first = await startControlPlane(dataDir);
  const api = clientOf(first);
  const heavy = api.createNamespacedCustomObject({ ...parcels, body: parcel({ grams: 40_000 }) });
  await assert.rejects(heavy, /should be less than or equal to 31500/);
  await api.createNamespacedCustomObject({ ...parcels, body: parcel() });
  await delivered(api);
  const body = [{ op: 'replace', path: '/spec/destination', value: 'Oslo' }];
  const changed = api.patchNamespacedCustomObject({ ...parcels, name: 'book', body });
  await assert.rejects(changed, /a parcel that has been sent stays as it is/);
  await first.close();

  const second = await startControlPlane(dataDir);
  await delivered(clientOf(second));
  await second.close();
});
