import { describeWithEtcd } from '../etcd-process.ts';
import { testCaught } from './expect-caught.ts';
import { mutationsOnEtcd } from './mutations.ts';

describeWithEtcd('the checker catches, on etcd,', () => testCaught(mutationsOnEtcd));
