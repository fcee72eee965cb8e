import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { systemClock } from '../../api/time/clock.ts';
import { deadlineIn } from '../../api/time/deadline.ts';
import { Metric } from '../../api/metrics/metric.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { StatusError } from '../../api/errors/status.ts';
import { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { catalogueOf } from '../../catalogue/testdata/catalogue-of.ts';
import { createObject } from '../../registry/write/create.ts';
import { deleteObject } from '../../registry/write/delete.ts';
import { noOptions } from '../../registry/kinds/delete-options.ts';
import type { StoreKind, WriteScope } from '../../registry/stored/store-kind.ts';
import { updateObject, type UpdateRequest, type UpdateResult } from '../../registry/write/update.ts';
import { builtInResources } from '../../schema/kubernetes/resources.ts';
import type { GetResult, Storage, StorageWatch, WatchRequest, WatchSink } from '../../storage/contract.ts';
import { openEmbeddedStorage } from '../../storage/embedded/engine.ts';
import { AesGcm } from '../../storage/encryption/aes-gcm.ts';
import type { ResourceEncryption } from '../../storage/encryption/encrypted-storage.ts';
import { LayeredStorage } from '../../storage/layered.ts';
import type { OpenKindOptions } from '../../scopes/open-kind.ts';
import { StoreMetrics } from '../../scopes/store-metrics.ts';
import { ResourceScopes } from '../../scopes/resource-scopes.ts';

/** A store elsewhere, whose watches can be held back. */
class DistantStorage extends LayeredStorage {
  gets = 0;
  isHeldBack = false;

  override get(key: string, options?: Parameters<Storage['get']>[1]): Promise<GetResult> {
    this.gets += 1;
    return super.get(key, options);
  }

  override watch(request: WatchRequest, sink: WatchSink): StorageWatch {
    return super.watch(request, {
      events: (events) => void (this.isHeldBack || sink.events(events)),
      progress: (revision) => void (this.isHeldBack || sink.progress(revision)),
      failed: (error) => sink.failed(error),
    });
  }
}

let storage: DistantStorage;
let kind: StoreKind;
/** A kind on the same store, as another server has it. */
let elsewhere: StoreKind;

function secretsIn(store: Storage, options: Pick<OpenKindOptions, 'startsFromMemory' | 'encryptionOf'>): StoreKind {
  const scopes = new ResourceScopes(new LiveCatalogue(catalogueOf(builtInResources())), {
    storage: store,
    format: { encoding: 'json', schemaOf: () => undefined },
    prefix: '/registry',
    ...options,
    namesUnreadable: true,
    clock: systemClock,
    metrics: new StoreMetrics((definition) => new Metric(definition)),
  });
  const found = scopes.now.scopeOf('', 'v1', 'secrets')?.store;
  if (found === undefined) throw new Error('no secrets');
  return found;
}

const scope: WriteScope = {
  resource: { group: '', resource: 'secrets' },
  namespace: 'default',
  dryRun: false,
  context: {
    nowMs: 0,
    requestGroup: '',
    requestVersion: 'v1',
    verb: 'update',
    user: { name: 'somebody', uid: '', groups: [], extra: {} },
    authorizer: { authorize: () => ({ decision: 'allow', reason: '' }) },
    namespace: 'default',
    requestName: 'a',
  },
  get deadlineMs() {
    return deadlineIn(10_000);
  },
  warn: () => undefined,
};

const admit = (): void => undefined;

/** Adds an entry to the data. */
function adding(entry: string, more: Partial<UpdateRequest> = {}): UpdateRequest {
  return {
    name: 'a',
    subresource: '',
    preconditions: {},
    transform: (old) => ({ ...old, data: { ...(old?.['data'] as object), [entry]: '' } }) as KubernetesObject,
    admitCreate: admit,
    admitUpdate: admit,
    ...more,
  };
}

function add(entry: string, more: Partial<UpdateRequest> = {}, where = kind): Promise<UpdateResult> {
  return updateObject(where, adding(entry, more), scope);
}

async function entries(): Promise<readonly string[]> {
  const { kv } = await storage.get('/registry/secrets/default/a');
  const { data } = JSON.parse(Buffer.from(kv?.value ?? []).toString()) as { data: object };
  return Object.keys(data);
}

beforeEach(async () => {
  storage = new DistantStorage(await openEmbeddedStorage({ dataDir: undefined }));
  kind = secretsIn(storage, { startsFromMemory: true });
  elsewhere = secretsIn(storage, {});
  const metadata = { name: 'a', namespace: 'default' };
  await createObject(kind, { apiVersion: 'v1', kind: 'Secret', metadata, data: { first: '' } }, scope, admit);
  await kind.cache().current(deadlineIn(10_000));
});

afterEach(async () => {
  kind.cache().close();
  await storage[Symbol.asyncDispose]();
});

describe('an update', () => {
  test('starts from memory, so the store is only written to', async () => {
    await add('second');
    await add('third');
    expect(storage.gets).toBe(0);
    expect(await entries()).toEqual(['first', 'second', 'third']);
  });

  test('of an object that memory is behind with is made again from what is stored', async () => {
    storage.isHeldBack = true;
    await add('other', {}, elsewhere);
    storage.gets = 0;
    await add('second');
    expect(storage.gets).toBe(0);
    expect(await entries()).toEqual(['first', 'other', 'second']);
  });

  test('does not fail for what memory is behind with', async () => {
    storage.isHeldBack = true;
    const { stored } = await add('other', {}, elsewhere);
    await add('second', { preconditions: { resourceVersion: String(stored.modRevision) } });
    const transform = (old: Readonly<KubernetesObject> | undefined): KubernetesObject => {
      if (!('second' in (old!['data'] as object))) throw new Error('too early');
      return adding('third').transform(old) as KubernetesObject;
    };
    await add('third', { transform });
    expect(await entries()).toEqual(['first', 'other', 'second', 'third']);
  });

  test('that changes nothing is one of what is stored', async () => {
    const before = await add('first');
    expect(storage.gets).toBe(1);
    storage.isHeldBack = true;
    await add('other', {}, elsewhere);
    // It would change nothing in what memory has.
    const drop = ({ ...old }: Readonly<KubernetesObject>): KubernetesObject =>
      ({ ...old, data: { first: '' } }) as KubernetesObject;
    const { stored } = await add('', { transform: (old) => drop(old!) });
    expect(stored.modRevision).toBeGreaterThan(before.stored.modRevision + 1);
    expect(await entries()).toEqual(['first']);
  });

  test('that fails is tried again only if memory was behind', async () => {
    let tries = 0;
    const transform = (): KubernetesObject => {
      tries += 1;
      throw new Error('refused');
    };
    await expect(add('second', { transform })).rejects.toThrow('refused');
    expect(tries).toBe(1);
    storage.isHeldBack = true;
    await add('other', {}, elsewhere);
    await expect(add('second', { transform })).rejects.toThrow('refused');
    expect(tries).toBe(3);
  });

  test('of an object that is gone finds that out', async () => {
    storage.isHeldBack = true;
    await deleteObject(elsewhere, { name: 'a', options: noOptions, admit }, scope);
    await expect(add('second')).rejects.toThrow(StatusError);
    await expect(add('second')).rejects.toThrow('secrets "a" not found');
  });
});

describe('a deletion', () => {
  const remove = (preconditions = {}): ReturnType<typeof deleteObject> =>
    deleteObject(kind, { name: 'a', options: { ...noOptions, preconditions }, admit }, scope);

  test('starts from memory', async () => {
    expect(await remove()).toMatchObject({ deleted: true });
    expect(storage.gets).toBe(0);
  });

  test('of an object that memory is behind with removes what is stored', async () => {
    storage.isHeldBack = true;
    const { stored } = await add('other', {}, elsewhere);
    const { stored: removed } = await remove({ resourceVersion: String(stored.modRevision) });
    expect(Buffer.from(removed.value).toString()).toContain('other');
    await expect(remove()).rejects.toThrow('secrets "a" not found');
  });
});

describe('an update of an encrypted object', () => {
  const cipher = new AesGcm(Buffer.alloc(32, 1));
  let decrypted = 0;
  const encryption: ResourceEncryption = {
    resource: 'secrets',
    read(stored, place) {
      decrypted += 1;
      return cipher.read(stored, place);
    },
    write: (value, place) => cipher.write(value, place),
    onChange: () => ({ [Symbol.dispose]: () => undefined }),
    onRecovery: () => ({ [Symbol.dispose]: () => undefined }),
  };

  test('starts from memory in a store of this process as well, and decrypts nothing', async () => {
    await using store = new DistantStorage(await openEmbeddedStorage({ dataDir: undefined }));
    const encrypted = secretsIn(store, { encryptionOf: () => encryption });
    const metadata = { name: 'a', namespace: 'default' };
    await createObject(encrypted, { apiVersion: 'v1', kind: 'Secret', metadata }, scope, admit);
    await encrypted.cache().current(deadlineIn(10_000));
    decrypted = 0;
    await add('first', {}, encrypted);
    await add('second', {}, encrypted);
    expect({ gets: store.gets, decrypted }).toEqual({ gets: 0, decrypted: 0 });
    encrypted.cache().close();
  });
});
