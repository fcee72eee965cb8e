import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { allDocuments, headingsOf, linksOf, root } from './pages.ts';

const read = (path: string): string => readFileSync(join(root, path), 'utf8');

test.each(allDocuments)('%s links to what is there', (page) => {
  const dead = linksOf(page, read(page)).filter(
    ({ path, heading }) =>
      !existsSync(join(root, path)) || (heading !== '' && path.endsWith('.md') && !headingsOf(read(path)).has(heading)),
  );
  expect(dead).toEqual([]);
});

test('the index leads to every document', () => {
  const linked = new Set(linksOf('docs/README.md', read('docs/README.md')).map(({ path }) => path));
  const documents = allDocuments.filter((page) => /^docs\/(?!README|decisions\/)/.test(page));
  expect(documents.filter((page) => !linked.has(page))).toEqual([]);
});

test('the README is short', () => {
  expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(120);
});
