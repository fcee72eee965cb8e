import { fieldValidationCases, jsonCases, smallJsonCases } from './cases/json.ts';
import type { HostileCase } from './hostile-case.ts';

export const allCases: readonly HostileCase[] = [...jsonCases, ...fieldValidationCases, ...smallJsonCases];
