import { expect, test } from 'vitest';
import { expand } from './environment.ts';

test.each([
  ['--port=$(PORT)', '--port=80'],
  ['$(PORT)$(PORT)', '8080'],
  ['$(ELSE)', '$(ELSE)'],
  ['$$(PORT)', '$(PORT)'],
  ['$PORT $', '$PORT $'],
])('%s expands to %s', (text, expanded) => {
  expect(expand(text, { PORT: '80' })).toBe(expanded);
});
