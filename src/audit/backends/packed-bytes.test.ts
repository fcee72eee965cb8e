import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { PackedBytes } from './packed-bytes.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Like what is made of a body of empty objects. */
const many = (): Buffer => Buffer.alloc(16 << 20, '{"name":"","resources":{}},');

function externalBytes(): number {
  // What a first round releases, a second one frees.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

/** Resolves when they are compressed: each caller then receives bytes of its own. */
async function compressed(packed: PackedBytes): Promise<void> {
  while ((await packed.bytes()) === (await packed.bytes())) await sleep(10);
}

/** Garbage is not collected more often than needed: a worker's heap may be large. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(100);
}

describe('many bytes', () => {
  test('are compressed until they are needed', async () => {
    const packed = new PackedBytes(many());
    const before = externalBytes();
    packed.pack();
    await compressed(packed);
    await until(() => externalBytes() < before - (15 << 20));
    for (let round = 0; round < 2; round++) expect(many().equals(await packed.bytes())).toBe(true);
  });

  test('are there while they are compressed, which happens once', async () => {
    const packed = new PackedBytes(many());
    packed.pack();
    packed.pack();
    expect(many().equals(await packed.bytes())).toBe(true);
    const later = new PackedBytes(many());
    later.pack();
    const before = externalBytes();
    await compressed(later);
    await until(() => externalBytes() < before - (15 << 20));
    expect(many().equals(await packed.bytes())).toBe(true);
  });
});

test('few bytes stay as they are', async () => {
  const bytes = Buffer.from('{}');
  const packed = new PackedBytes(bytes);
  packed.pack();
  expect(await packed.bytes()).toBe(bytes);
});
