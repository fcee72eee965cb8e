import { expect, test } from 'vitest';
import type { FieldError, FieldErrors } from '../api/errors/field-error.ts';
import { requiredField } from '../api/errors/field-error.ts';
import { allOf } from '../api/errors/findings.ts';
import type { Strategy, WriteContext } from '../registry/kinds/strategy.ts';
import { withoutPolicies } from './disabled-policies.ts';

const object = { apiVersion: 'v1', kind: 'Pod', metadata: {} };
const context = {} as WriteContext; // passed on as it is
const found: readonly FieldError[] = [requiredField('metadata.name')];

test('errors of disabled policies are dropped, and validation knows the errors of metadata', () => {
  function* errors(metadataErrors: readonly FieldError[] = []): FieldErrors {
    yield { ...requiredField('spec'), clusterPolicy: 'privileged' };
    yield requiredField(`metadata has ${metadataErrors.length} errors`);
  }
  const strategy: Strategy = {
    validate: (_object, _context, metadataErrors) => errors(metadataErrors),
    validateUpdate: (_object, _old, _context, metadataErrors) => errors(metadataErrors),
  };
  const { validate, validateUpdate } = withoutPolicies(strategy, new Set(['privileged']));
  const fields = (reported: FieldErrors | undefined): unknown => allOf(reported ?? []).map(({ field }) => field);
  expect(fields(validate?.(object, context, found))).toEqual(['metadata has 1 errors']);
  expect(fields(validateUpdate?.(object, object, context, found))).toEqual(['metadata has 1 errors']);
});
