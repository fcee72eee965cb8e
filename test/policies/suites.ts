import { policyCases } from './cases.ts';
import { mutatingCases } from './mutating-cases.ts';
import type { PolicySuite } from './play.ts';

/** By the name of their records. */
export const suites: { readonly [name: string]: PolicySuite } = {
  recorded: {
    kind: 'ValidatingAdmissionPolicy',
    policySpec: {},
    bindingSpec: { validationActions: ['Deny'] },
    showsObjects: false,
    cases: policyCases,
  },
  'recorded-mutating': {
    kind: 'MutatingAdmissionPolicy',
    policySpec: { reinvocationPolicy: 'Never' },
    bindingSpec: {},
    showsObjects: true,
    cases: mutatingCases,
  },
};
