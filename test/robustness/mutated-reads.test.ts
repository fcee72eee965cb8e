import { describe, test } from 'vitest';
import { expectCaught, timeout } from './expect-caught.ts';
import { embeddedMutations } from './mutations.ts';

const cases = embeddedMutations('reads').map((mutation) => [mutation.title, mutation] as const);

describe('the checker catches', { timeout }, () => {
  test.for(cases)('%s', ([, mutation]) => expectCaught(mutation));
});
