import { expect, test } from 'vitest';
import { jsonDiff } from './unified-diff.ts';

test('shows integers that no double holds', () => {
  const diff = jsonDiff({ seconds: 1 }, { seconds: 9_223_372_036_854_775_807n });
  expect(diff).toBe('@@ -1,3 +1,3 @@\n {\n- "seconds": 1\n+ "seconds": 9223372036854775807\n }\n');
});
