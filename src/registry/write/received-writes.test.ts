import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { deadlineIn } from '../../api/time/deadline.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { WatchCache } from '../../watchcache/watch-cache.ts';
import { createObject } from './create.ts';
import { completeStrategy } from '../kinds/complete-strategy.ts';
import { knownJson } from '../stored/known-states.ts';
import { schemaCodec } from '../stored/schema-codec.ts';
import type { StoreKind, WriteScope } from '../stored/store-kind.ts';
import { updateObject } from './update.ts';

test('what the watch cache receives of a write is known', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-written-'));
  const resource = builtInResources().find(({ kind }) => kind === 'ConfigMap');
  try {
    await using storage = await openEmbeddedStorage({ dataDir });
    const readAttributes = () => ({ labels: {}, fields: {} });
    const cache = new WatchCache({ storage, prefix: '/registry/configmaps/', clock: systemClock, readAttributes });
    await cache.ready();
    // What these writes use of a kind and of a request.
    const codec = resource && schemaCodec(resource);
    const keyPrefix = '/registry/configmaps/';
    const strategy = resource && completeStrategy({}, resource);
    const kind = { keyPrefix, storage, clock: systemClock, resource, codec, strategy } as unknown as StoreKind;
    const scope = {
      resource: {
        group: '',
        resource: 'configmaps',
      },
      namespace: 'default',
      dryRun: false,
      context: {
        requestVersion: 'v1',
        nowMs: systemClock.now(),
      },
      deadlineMs: deadlineIn(6e4),
      warn: () => undefined,
    } as unknown as WriteScope;
    const known = (): Readonly<JsonObject> | undefined => {
      const entry = cache.snapshot().entries.get(`${keyPrefix}default/a`);
      return entry && knownJson(entry);
    };
    const object = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a', namespace: 'default' } };
    await createObject(kind, object, scope, () => undefined);
    expect(known()?.['metadata']).toMatchObject({ name: 'a' });
    const request = {
      name: 'a',
      subresource: '',
      preconditions: {},
      transform: (old: Readonly<KubernetesObject> | undefined) =>
        ({
          ...old,
          data: { a: 'b' },
        }) as KubernetesObject,
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    };
    await updateObject(kind, request, scope);
    expect(known()?.['data']).toEqual({ a: 'b' });
    cache.close();
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
