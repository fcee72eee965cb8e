import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../api/time/clock.ts';
import { Metric } from '../api/metrics/metric.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { catalogueOf } from '../catalogue/testdata/catalogue-of.ts';
import type { ResourceScope } from '../operations/resource-scope.ts';
import { builtInResources } from '../schema/kubernetes/resources.ts';
import type { Storage, StorageWatch } from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import type { WatchCache } from '../watchcache/watch-cache.ts';
import { ResourceScopes } from './resource-scopes.ts';
import { StoreMetrics } from './store-metrics.ts';

const storage = await openEmbeddedStorage({ dataDir: undefined });
afterAll(() => storage[Symbol.asyncDispose]());

/** Watches of the store. */
let watches = 0;
const counted = new Proxy<Storage>(storage, {
  get(target, key) {
    if (key === 'watch') return watch;
    const member: unknown = Reflect.get(target, key);
    return typeof member === 'function' ? (member.bind(target) as unknown) : member;
  },
});

function watch(...parameters: Parameters<Storage['watch']>): StorageWatch {
  watches += 1;
  const started = storage.watch(...parameters);
  return {
    requestProgress: () => started.requestProgress(),
    cancel() {
      watches -= 1;
      started.cancel();
    },
  };
}

function start(): { readonly catalogue: LiveCatalogue; readonly scopes: ResourceScopes } {
  const catalogue = new LiveCatalogue(catalogueOf(builtInResources()));
  return {
    catalogue,
    scopes: new ResourceScopes(catalogue, {
      storage: counted,
      format: { encoding: 'json', schemaOf: () => undefined },
      prefix: '/registry',
      namesUnreadable: true,
      clock: systemClock,
      metrics: new StoreMetrics((definition) => new Metric(definition)),
    }),
  };
}

function secretsOf(scopes: ResourceScopes): ResourceScope {
  const scope = scopes.now.scopeOf('', 'v1', 'secrets');
  if (scope === undefined) throw new Error('no secrets');
  return scope;
}

async function remove(catalogue: LiveCatalogue): Promise<void> {
  const entry = catalogue.current.served('', 'v1', 'secrets')?.entry;
  if (entry === undefined) throw new Error('no secrets');
  catalogue.change({ remove: [entry] });
  // Watches end asynchronously.
  await new Promise((resolve) => setTimeout(resolve, 50));
}

test('a cache is released when its kind is gone and unused', async () => {
  const { catalogue, scopes } = start();
  const scope = secretsOf(scopes);
  await scope.store?.cache().ready();
  expect(scopes.caches()).toMatchObject([{ group: '', resource: 'secrets' }]);
  expect(watches).toBe(1);
  scope.requests.begin();
  await remove(catalogue);
  expect(scopes.now.scopeOf('', 'v1', 'secrets')).toBeUndefined();
  expect(watches).toBe(1);
  scope.requests.end();
  expect(watches).toBe(0);
  expect(scopes.caches()).toEqual([]);
  scopes[Symbol.dispose]();
});

test('where objects are can be told without the rules of their kind', () => {
  const { catalogue, scopes } = start();
  const entry = catalogue.current.served('', 'v1', 'secrets')?.entry;
  if (entry === undefined) throw new Error('no secrets');
  let strategies = 0;
  const strategyOf: typeof entry.behaviour.strategyOf = (stored) => {
    strategies += 1;
    return entry.behaviour.strategyOf(stored);
  };
  catalogue.change({ remove: [entry], add: [{ ...entry, behaviour: { ...entry.behaviour, strategyOf } }] });
  const place = scopes.now.placeOf('', 'v1', 'secrets');
  expect(place).toMatchObject({ keyPrefix: '/registry/secrets/', resource: { kind: 'Secret' } });
  expect(strategies).toBe(0);
  expect(secretsOf(scopes).store?.storage).toBe(place?.storage);
  expect(strategies).toBe(1);
  expect(scopes.now.placeOf('', 'v1', 'bindings')).toBeUndefined();
  scopes[Symbol.dispose]();
});

test('nothing holds the objects of a removed kind', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const { catalogue, scopes } = start();
  const open = async (): Promise<WeakRef<WatchCache>> => {
    const cache = secretsOf(scopes).store?.cache();
    if (cache === undefined) throw new Error('secrets are not stored');
    await cache.ready();
    return new WeakRef(cache);
  };
  const cache = await open();
  await remove(catalogue);
  await expect
    .poll(() => {
      collectGarbage();
      return cache.deref();
    })
    .toBeUndefined();
  scopes[Symbol.dispose]();
});

test('holders of an earlier catalogue continue with it, and leave nothing behind', async () => {
  const { catalogue, scopes } = start();
  const before = scopes.now;
  await remove(catalogue);
  const scope = before.scopeOf('', 'v1', 'secrets');
  scope?.requests.begin();
  await scope?.store?.cache().ready();
  const ended: string[] = [];
  const request = { scope: { kind: 'all' }, afterRevision: undefined } as const;
  scope?.store?.cache().watch(request, { event: () => undefined, ended: (reason) => ended.push(reason) });
  await Promise.resolve();
  expect(ended).toEqual(['retired']);
  scope?.requests.end();
  expect(watches).toBe(0);
  scopes[Symbol.dispose]();
});

test('the scopes of a kind are stable while other kinds come and go', async () => {
  const { catalogue, scopes } = start();
  const before = scopes.now.scopeOf('apps', 'v1', 'deployments');
  await remove(catalogue);
  expect(scopes.now.scopeOf('apps', 'v1', 'deployments')).toBe(before);
  scopes[Symbol.dispose]();
});
