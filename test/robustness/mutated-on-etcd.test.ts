import { test } from 'vitest';
import { describeWithEtcd } from '../etcd-process.ts';
import { expectCaught, timeout } from './expect-caught.ts';
import { mutationsOnEtcd } from './mutations.ts';

const cases = mutationsOnEtcd.map((mutation) => [mutation.title, mutation] as const);

describeWithEtcd('the checker catches, on etcd,', () => {
  test.for(cases)('%s', { timeout }, ([, mutation]) => expectCaught(mutation));
});
