import type { PolicyCase } from '../policy-case.ts';
import { policyCase, validation } from './writes.ts';

const failing = "object.data.missing == 'x'";

/** Actions of bindings, for validations that are false and for those that fail, under both failure policies. */
const actions: readonly PolicyCase[] = [['Deny'], ['Warn'], ['Audit'], ['Deny', 'Audit'], ['Warn', 'Audit']].flatMap(
  (validationActions) =>
    (['Fail', 'Ignore'] as const).flatMap((failurePolicy) =>
      ['false', 'true', failing].map((expression) =>
        policyCase(
          `${expression} with ${validationActions.join(' and ')}, ${failurePolicy}`,
          { failurePolicy, ...validation(expression, { message: 'the message' }) },
          { validationActions },
        ),
      ),
    ),
);

export const bindingCases: readonly PolicyCase[] = [...actions];
