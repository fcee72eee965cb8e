import { describe } from 'vitest';
import { testCaught } from './expect-caught.ts';
import { embeddedMutations } from './mutations.ts';

describe('the checker catches', () => testCaught(embeddedMutations('watches')));
