import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { mutations } from './mutations.ts';

test('the documentation lists all planted bugs', async () => {
  const text = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'robustness.md'), 'utf8');
  const rows = [...text.matchAll(/^\| (.+?) \| (\S+\.ts) \| .+ \| (.+) \|$/gm)].map((row) => row.slice(1).join(', '));
  expect(rows).toEqual(
    mutations.map(({ title, file, caughtAs }) => [title, basename(file), caughtAs.join(' or ')].join(', ')),
  );
});
