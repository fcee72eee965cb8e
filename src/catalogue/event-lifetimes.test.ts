import { expect, test } from 'vitest';
import { builtInKinds } from './built-in-kinds.ts';
import { plainBehaviour } from './testdata/catalogue-of.ts';

test.each<readonly [eventTtlSeconds: number, lifetimes: readonly number[]]>([
  [3600, [3600]],
  [1, [1]],
  // Like a lifetime that kube-apiserver is not given.
  [0, []],
])('with a lifetime of %d seconds only events end, if at all', (eventTtlSeconds, lifetimes) => {
  const kinds = builtInKinds({
    served: [],
    behaviourOf: () => plainBehaviour,
    eventTtlSeconds,
    pagesAnyVersion: () => false,
    release: '1.37',
  });
  expect(kinds.flatMap(({ ttlSeconds }) => ttlSeconds ?? [])).toEqual(lifetimes);
});
