import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { testStorage } from '../conformance/suite.ts';
import { openEmbeddedStorage } from './engine.ts';

const root = await mkdtemp(join(tmpdir(), 'binnacle-storage-'));
afterAll(() => rm(root, { recursive: true }));

const fresh = (): Promise<string> => mkdtemp(join(root, 'data-'));

testStorage({ name: 'embedded', open: async () => openEmbeddedStorage({ dataDir: await fresh() }) });
