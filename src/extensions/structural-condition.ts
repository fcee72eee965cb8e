import { fieldErrorText, invalidField } from '../api/errors/field-error.ts';
import { allOf } from '../api/errors/findings.ts';
import { loadGoRegexp } from '../api/go/go-regexp.ts';
import { structuralProblem, structuralErrors } from '../schema/custom/structural-schemas.ts';
import type { NewCondition } from './condition-changes.ts';
import type { Definition } from './definition.ts';

/**
 * Why a definition is not structural. Definitions that drop unknown fields had to be structural; older ones
 * may have been in etcd since v1beta1.
 */
export async function structuralCondition({ spec }: Definition): Promise<NewCondition | undefined> {
  if (spec.preserveUnknownFields !== true) return undefined;
  await loadGoRegexp();
  const errors = [invalidField('spec.preserveUnknownFields', true, 'must be false')];
  for (const [index, { name = '', schema }] of (spec.versions ?? []).entries()) {
    const { openAPIV3Schema } = schema ?? {};
    if (openAPIV3Schema === undefined) continue;
    const problem = structuralProblem(openAPIV3Schema);
    if (problem !== undefined) {
      const message = `failed to check validation schema for version ${name}: ${problem}`;
      return { type: 'NonStructuralSchema', status: 'Unknown', reason: 'StructuralError', message };
    }
    errors.push(...allOf(structuralErrors(openAPIV3Schema, `spec.versions[${index}].schema.openAPIV3Schema`)));
  }
  const texts = [...new Set(errors.map(fieldErrorText))];
  const message = texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
  return { type: 'NonStructuralSchema', status: 'True', reason: 'Violations', message };
}
