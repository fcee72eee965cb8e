import type { KindCases } from '../case.ts';
import { podCases } from './pods.ts';

export const allCases: readonly KindCases[] = [...podCases];
