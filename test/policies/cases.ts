import { bindingCases } from './cases/bindings.ts';
import { conditionCases } from './cases/conditions.ts';
import { matchingCases } from './cases/matching.ts';
import { parameterCases } from './cases/parameters.ts';
import { refusalCases } from './cases/refusals.ts';
import { valueCases } from './cases/values.ts';
import type { PolicyCase } from './policy-case.ts';

export const policyCases: readonly PolicyCase[] = [
  ...bindingCases,
  ...valueCases,
  ...matchingCases,
  ...parameterCases,
  ...conditionCases,
  ...refusalCases,
];
