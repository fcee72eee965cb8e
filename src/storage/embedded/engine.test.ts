import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbeddedStorage } from './engine.ts';
test('keeps what was written when opened again', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'binnacle-'));
  {
    await using storage = await openEmbeddedStorage({ dataDir });
    expect(await storage.put({ key: '/a', value: Buffer.from('1'), expectedModRevision: 0 })).toEqual({
      succeeded: true,
      revision: 2,
    });
  }
  await using storage = await openEmbeddedStorage({ dataDir });
  expect((await storage.get('/a')).kv?.value.toString()).toBe('1');
  await rm(dataDir, { recursive: true });
});
