import { expect, test } from 'vitest';
import { scheduleProblem } from './schedule.ts';

test.for([
  ['*/5 * * * *', undefined],
  ['@daily', undefined],
  ['TZ=UTC 0 0 * * *', undefined],
  ['TZ=UTC', 'a time zone is not followed by a schedule'],
  ['CRON_TZ=UTC', 'a time zone is not followed by a schedule'],
  ['* * *', 'expected exactly 5 fields, found 3: [* * *]'],
] as const)('the problem of %s is %s', ([schedule, problem]) => {
  expect(scheduleProblem(schedule)).toBe(problem);
});
