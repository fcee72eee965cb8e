import { requiredOneOf } from './rules.ts';

export const pullPolicy = requiredOneOf(['Always', 'IfNotPresent', 'Never']);
