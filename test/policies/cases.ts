import type { PolicyCase } from './policy-case.ts';
import { bindingCases } from './cases/bindings.ts';

export const policyCases: readonly PolicyCase[] = [...bindingCases];
