import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { shownMetrics } from './metrics.ts';
import { referencePages } from './pages.ts';

const folder = join(import.meta.dirname, '../../docs/reference');

test.each([...referencePages(await shownMetrics())])('docs/reference/%s is what the tables say', async (name, text) => {
  expect(await readFile(join(folder, name), 'utf8')).toBe(text);
});
