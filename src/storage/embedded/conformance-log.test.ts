import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { testStorage } from '../conformance/suite.ts';
import { openEmbeddedStorage } from './engine.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-storage-'));
afterAll(() => rm(root, { recursive: true }));

const fresh = (): Promise<string> => mkdtemp(join(root, 'data-'));

// All history is read from SQLite rather than memory.
testStorage({
  name: 'embedded without history in memory',
  open: async () => openEmbeddedStorage({ dataDir: await fresh(), history: { events: 0 } }),
});
