import { requiredOneOf } from '../rules/rules.ts';

export const pullPolicy = requiredOneOf(['Always', 'IfNotPresent', 'Never']);
