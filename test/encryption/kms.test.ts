import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Metric, type MetricDefinition } from '../../src/api/metrics/metric.ts';
import { EncryptionMetrics } from '../../src/encryption/encryption-metrics.ts';
import type { Provider } from '../../src/encryption/provider.ts';
import { openKmsV1, openKmsV2 } from '../../src/encryption/kms/open-kms.ts';
import { KmsPlugin } from './kms-plugin.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-kms-'));
afterAll(() => rm(folder, { recursive: true }));

const place = { key: '/registry/secrets/default/a', resource: 'secrets' };
const clock = { ms: 1_800_000_000_000, now: () => clock.ms };
let sockets = 0;
let plugin: KmsPlugin;
let closing: (() => void)[];
let metrics: Map<string, Metric>;
let errors: unknown[];
let recoveries: number;

beforeEach(async () => {
  plugin = await KmsPlugin.start(join(folder, `${(sockets += 1)}.sock`));
  closing = [];
  metrics = new Map();
  errors = [];
  recoveries = 0;
});
afterEach(async () => {
  for (const close of closing) close();
  await plugin[Symbol.asyncDispose]();
});

function options(timeoutMs = 1_000) {
  const metric = (definition: MetricDefinition): Metric => {
    const made = metrics.get(definition.name) ?? new Metric(definition);
    metrics.set(definition.name, made);
    return made;
  };
  return {
    name: 'test',
    endpoint: plugin.endpoint,
    timeoutMs,
    clock,
    allowsKmsV1: true,
    metrics: new EncryptionMetrics({ clock, metric, serverId: 'me' }),
    onError: (error: unknown) => void errors.push(error),
    recovered: () => void (recoveries += 1),
    onClose: (close: () => void) => void closing.push(close),
  };
}

const write = async ({ transformer }: Provider, text: string): Promise<Buffer> =>
  Buffer.concat(await transformer.write(Buffer.from(text), place));
const read = async ({ transformer }: Provider, stored: Uint8Array) => {
  const { value, stale } = await transformer.read(stored, place);
  return { text: Buffer.from(value).toString(), stale };
};
const shown = (name: string) => [...(metrics.get(name)?.values ?? [])].map(({ labels, value }) => ({ labels, value }));

describe('version 2', () => {
  test('who asks a plugin that is not there is told where it should be', async () => {
    await plugin.end();
    const desc = `transport: Error while dialing: dial unix ${plugin.socket}: connect: no such file or directory`;
    const why = `rpc error: code = DeadlineExceeded desc = latest balancer error: connection error: desc = "${desc}"`;
    const { kms } = await openKmsV2(options(100));
    await expect(kms?.check()).rejects.toThrow(why);
    await plugin.begin();
  });

  test('one secret serves all values until the key changes; others read it by asking once', async () => {
    const mine = await openKmsV2(options());
    const stored = await Promise.all(['one', 'two', 'three'].map((text) => write(mine, text)));
    expect(plugin.countOf('Encrypt')).toBe(1);
    const other = await openKmsV2(options());
    expect(await Promise.all(stored.map((each) => read(other, each)))).toEqual(
      ['one', 'two', 'three'].map((text) => ({ text, stale: false })),
    );
    expect(plugin.countOf('Decrypt')).toBe(1);
    // What is written is not asked for.
    expect(await read(mine, stored[0]!)).toEqual({ text: 'one', stale: false });
    expect(plugin.countOf('Decrypt')).toBe(1);
  });

  test('another key makes another secret, and what was written before is stale', async () => {
    const provider = await openKmsV2(options());
    const before = await write(provider, 'old');
    plugin.keyId = 'key-2';
    await provider.kms!.check();
    expect(plugin.countOf('Encrypt')).toBe(1);
    clock.ms += 21_000;
    await provider.kms!.check();
    expect(plugin.countOf('Encrypt')).toBe(2);
    const after = await write(provider, 'new');
    expect(await read(provider, before)).toEqual({ text: 'old', stale: true });
    expect(await read(provider, after)).toEqual({ text: 'new', stale: false });
    // The former key again: a new secret, and what was written with it first is not stale.
    plugin.keyId = 'key-1';
    clock.ms += 21_000;
    await provider.kms!.check();
    expect(await read(provider, before)).toEqual({ text: 'old', stale: false });
    expect(await read(provider, after)).toEqual({ text: 'new', stale: true });
    expect(shown('apiserver_envelope_encryption_key_id_hash_total')).toHaveLength(4);
    expect(shown('apiserver_envelope_encryption_dek_source_cache_size')[0]?.value).toBe(2);
  });

  test('writes go on for three minutes without the plugin, reads for as long as the secret is known', async () => {
    const provider = await openKmsV2(options(200));
    const stored = await write(provider, 'one');
    const elsewhere = await openKmsV2(options(200));
    await plugin.end();
    clock.ms += 179_000;
    await expect(provider.kms!.check()).rejects.toThrow(
      /^failed to perform status section of the healthz check for KMS Provider test, error: rpc error: code = /,
    );
    await write(provider, 'two');
    clock.ms += 2_000;
    await expect(write(provider, 'three')).rejects.toThrow(
      /^encryptedDEKSource with keyID hash "sha256:[0-9a-f]{64}" expired at \S+Z \(current time is \S+Z\)$/,
    );
    expect(await read(provider, stored)).toEqual({ text: 'one', stale: false });
    await expect(read(elsewhere, stored)).rejects.toThrow(/^failed to decrypt DEK, error: rpc error: code = /);
    await plugin.begin();
    clock.ms += 10_000;
    await expect
      .poll(
        () =>
          provider.kms!.check().then(
            () => 'healthy',
            () => (clock.ms += 4_000),
          ),
        { timeout: 10_000 },
      )
      .toBe('healthy');
    expect(recoveries).toBe(1);
    await write(provider, 'four');
    // The same secret: the key is the same.
    expect(plugin.countOf('Encrypt')).toBe(2);
  });

  test('a plugin that is not there yet is no reason not to start', async () => {
    await plugin.end();
    const provider = await openKmsV2(options(200));
    expect(errors).toHaveLength(1);
    await expect(write(provider, 'one')).rejects.toThrow('got unexpected nil transformer');
    await plugin.begin();
    clock.ms += 4_000;
    await expect
      .poll(
        () =>
          provider.kms!.check().then(
            () => 'healthy',
            () => (clock.ms += 4_000),
          ),
        { timeout: 10_000 },
      )
      .toBe('healthy');
    expect(await read(provider, await write(provider, 'one'))).toEqual({ text: 'one', stale: false });
  });

  test.each([
    [{ healthz: 'sick' }, 'got unexpected healthz status: sick'],
    [{ version: 'v3' }, 'expected KMSv2 API version v2, got v3'],
    [{ keyId: '' }, 'got invalid KMSv2 KeyID hash "": keyID is empty'],
    [{ keyId: 'x'.repeat(1025) }, /keyID is 1025 bytes, which exceeds the max size of 1024$/],
    [
      { annotations: new Map([['short', Buffer.from('x')]]) },
      /should be a domain with at least two segments separated by dots/,
    ],
    [
      { annotations: new Map([['large.example.com', Buffer.alloc(32 * 1024)]]) },
      /total size of annotations is 32785, which exceeds the max size of 32768/,
    ],
    [{ keyId: '', healthz: 'sick' }, /error: \[got unexpected healthz status: sick, got invalid KMSv2 KeyID/],
  ])('%j is not healthy', async (wrong, why) => {
    Object.assign(plugin, wrong);
    const provider = await openKmsV2(options());
    clock.ms += 4_000;
    const failure = await provider.kms!.check().catch((error: unknown) => error);
    expect(String(failure)).toMatch(/kmsv2 Provider test is not healthy, error: /);
    if (typeof why === 'string') expect(String(failure)).toContain(why);
    else expect(String(failure)).toMatch(why);
  });

  test('a plugin that changes the version of its protocol is not healthy', async () => {
    const provider = await openKmsV2(options());
    plugin.version = 'v2beta1';
    clock.ms += 21_000;
    await expect(provider.kms!.check()).rejects.toThrow(
      'should not change after the initial status response version v2',
    );
  });

  test('annotations come back to the plugin', async () => {
    plugin.annotations = new Map([['version.example.com', Buffer.from([0, 255])]]);
    const stored = await write(await openKmsV2(options()), 'one');
    expect(await read(await openKmsV2(options()), stored)).toEqual({ text: 'one', stale: false });
  });

  test('what is not an encrypted object is refused', async () => {
    const provider = await openKmsV2(options());
    const stored = await write(provider, 'one');
    await expect(read(provider, Buffer.from('{}'))).rejects.toThrow('proto: illegal wireType 3');
    await expect(read(provider, Buffer.alloc(0))).rejects.toThrow('encrypted data is empty');
    await expect(read(provider, stored.subarray(0, 80))).rejects.toThrow('unexpected EOF');
    const type = Buffer.from(stored);
    type[type.length - 1] = 7;
    await expect(read(provider, type)).rejects.toThrow('unknown encryptedDEKSourceType: 7');
    type[type.length - 1] = 1;
    expect((await read(provider, type)).text).toBe('one');
  });
});

describe('version 1', () => {
  const v1 = (cacheSize: number) => openKmsV1({ ...options(300), cacheSize });

  test('each value has a key, and the last ones are kept', async () => {
    const provider = v1(2);
    const stored: Buffer[] = [];
    for (const text of ['one', 'two', 'three']) stored.push(await write(provider, text));
    expect(plugin.countOf('v1/Encrypt')).toBe(3);
    expect(await read(provider, stored[1]!)).toEqual({ text: 'two', stale: false });
    expect(plugin.countOf('v1/Decrypt')).toBe(0);
    expect(await read(provider, stored[0]!)).toEqual({ text: 'one', stale: false });
    expect(plugin.countOf('v1/Decrypt')).toBe(1);
    expect(shown('apiserver_storage_envelope_transformation_cache_misses_total')[0]?.value).toBe(1);
    expect(shown('apiserver_envelope_encryption_dek_cache_fill_percent')[0]?.value).toBe(1);
  });

  test('a negative size keeps none', async () => {
    const provider = v1(-1);
    const stored = await write(provider, 'one');
    await read(provider, stored);
    await read(provider, stored);
    expect(plugin.countOf('v1/Decrypt')).toBe(2);
  });

  test('a plugin that fails is not healthy, and nothing is written', async () => {
    const provider = v1(10);
    plugin.fails = true;
    await expect(provider.kms!.check()).rejects.toThrow(
      'failed to perform encrypt section of the healthz check for KMS Provider test, error: rpc error: code = FailedPrecondition desc = the plugin fails',
    );
    await expect(write(provider, 'one')).rejects.toThrow(
      'rpc error: code = FailedPrecondition desc = the plugin fails',
    );
    plugin.fails = false;
    // The words of the plugin are remembered for three seconds.
    await expect(provider.kms!.check()).rejects.toThrow(
      /^rpc error: code = FailedPrecondition desc = the plugin fails$/,
    );
    clock.ms += 4_000;
    await provider.kms!.check();
    plugin.lost.add(plugin.keyId);
    clock.ms += 21_000;
    await expect(provider.kms!.check()).rejects.toThrow('failed to perform decrypt section');
  });

  test('what is too short is refused', async () => {
    const provider = v1(10);
    for (const bytes of [[], [0], [0, 5, 1]]) {
      await expect(read(provider, Buffer.from(bytes))).rejects.toThrow('failed to read uint16 length prefixed data');
    }
  });

  test('an abstract socket', { timeout: 10_000 }, async () => {
    const abstract = await KmsPlugin.start(`\0binnacle-${process.pid}`);
    const provider = openKmsV1({ ...options(1_000), endpoint: `unix:///@binnacle-${process.pid}`, cacheSize: 1 });
    await provider.kms!.check();
    await abstract.end();
  });
});
