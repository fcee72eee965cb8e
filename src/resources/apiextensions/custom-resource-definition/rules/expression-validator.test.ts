import { describe, expect, it } from 'vitest';
import { fieldErrorText } from '../../../../api/errors/field-error.ts';
import { allOf } from '../../../../api/errors/findings.ts';
import { writeContext } from '../../../../registry/kinds/testdata/write-context.ts';
import type { JsonSchema } from '../../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import { definitionStrategy } from '../strategy.ts';
import { kindEnvironment } from '../../../testdata/kind-environment.ts';
import { definition, definitionUpdate } from '../validation/definition.ts';

// The reference's results for rules are recorded in `test/recorded/validation`; these cases cannot be recorded.

const scope = { dryRun: true, context: writeContext() };
const names = { plural: 'as', kind: 'A', singular: 'a', listKind: 'AList' };

function ruled(...rules: readonly string[]): CustomResourceDefinition {
  const text: JsonSchema = {
    type: 'string',
    maxLength: 10,
    'x-kubernetes-validations': rules.map((rule) => ({ rule })),
  };
  const schema = { openAPIV3Schema: { type: 'object', properties: { a: text } } };
  return {
    metadata: { name: 'as.example.com' },
    spec: { group: 'example.com', scope: 'Cluster', names, versions: [{ name: 'v1', storage: true, schema }] },
    status: { storedVersions: ['v1'] },
  };
}

/** The texts of the errors. */
async function validated(
  release: string,
  object: CustomResourceDefinition,
  old?: CustomResourceDefinition,
): Promise<readonly string[]> {
  const { beginCreate, beginUpdate } = definitionStrategy(kindEnvironment({ release }));
  // Decoded definitions have metadata.
  type Written = Parameters<NonNullable<typeof beginCreate>>[0];
  await (old === undefined
    ? beginCreate?.(object as Written, scope)
    : beginUpdate?.(object as Written, old as Written, scope));
  return [...(old === undefined ? definition(object) : definitionUpdate(object, old))].map(fieldErrorText);
}

const place = 'spec.validation.openAPIV3Schema.properties[a].x-kubernetes-validations[0].rule';

describe('rules of a definition', () => {
  it.each([
    ['1.37', 'ip.isCanonical(self)', true],
    ['1.37', '[1].includes(1)', false],
    ['1.34', 'ip.isCanonical(self)', true],
  ])('must be understood by the release before %s: %s', async (release, rule, isUnderstood) => {
    const texts = await validated(release, ruled(rule));
    expect(texts.length === 0).toBe(isUnderstood);
    for (const text of texts) expect(text).toContain(`${place}: Invalid value: {"Rule":"${rule}"`);
  });

  it('stay valid when the server is downgraded', async () => {
    const rule = '[1].includes(1)';
    expect(await validated('1.36', ruled(rule), ruled(rule))).toEqual([]);
    expect(await validated('1.36', ruled(`!${rule}`), ruled(rule))).toHaveLength(1);
  });

  it('are not checked before CEL is loaded', () => {
    expect(() => allOf(definition(ruled('true')))).toThrow('validated before');
  });
});
