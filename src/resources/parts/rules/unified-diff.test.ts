import { expect, test } from 'vitest';
import { internalDiff } from './unified-diff.ts';

test('shows integers beyond a double', () => {
  const diff = internalDiff(
    'core.PodSpec',
    { terminationGracePeriodSeconds: 1 },
    { terminationGracePeriodSeconds: 2n ** 63n - 1n },
  );
  expect(diff).toContain('+ "TerminationGracePeriodSeconds": 9223372036854775807');
});
