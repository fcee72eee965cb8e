import { beforeAll, describe, expect, it } from 'vitest';
import { fieldErrorCause } from '../../../src/api/errors/field-error.ts';
import { allOf } from '../../../src/api/errors/findings.ts';
import { prepareExpressions, newExpressionEnvironment } from '../../../src/cel/environments/kubernetes.ts';
import { prepareRules, ruleErrors } from '../../../src/cel/rules/object-rules.ts';
import { untimed } from '../../../src/cel/rules/rule-times.ts';
import { ruleErrors as definitionErrors } from '../../../src/resources/apiextensions/custom-resource-definition/rules/rule-errors.ts';
import type { JsonSchema } from '../../../src/schema/custom/json-schema.ts';
import { readCases, recordingsOf } from '../recording.ts';
import { definitionOf, instanceOf, type RecordedBatch, verdictsOf } from './batches.ts';
import { inputs } from './inputs.ts';

// The reference's results for rules and the values they apply to (recorded by record.ts), compared with ours.

const subject = 'rules';
const batches = recordingsOf(subject).flatMap((input) => readCases<RecordedBatch>(subject, input));

beforeAll(prepareExpressions);

function schemaOf(batch: RecordedBatch): JsonSchema {
  const { spec } = definitionOf(batch, 'asked') as unknown as {
    readonly spec: { readonly versions: readonly { readonly schema: { readonly openAPIV3Schema: JsonSchema } }[] };
  };
  return spec.versions[0]?.schema.openAPIV3Schema ?? {};
}

/** New expressions must be understood by the previous release. */
const demands = {
  faulty: new Set<JsonSchema>(),
  limitsEach: true,
  times: untimed,
  environmentOf: () => newExpressionEnvironment(36),
};

function refused(batch: RecordedBatch): ReturnType<typeof verdictsOf> {
  const errors = allOf(definitionErrors(schemaOf(batch), 'spec.validation.openAPIV3Schema', demands));
  return verdictsOf(errors.map(fieldErrorCause));
}

async function broken(batch: RecordedBatch): Promise<NonNullable<RecordedBatch['broken']>> {
  const tree = await prepareRules(schemaOf(batch));
  if (tree === undefined) throw new Error('the schema has rules');
  const { values = [] } = inputs[batch.input] ?? {};
  const found = await Promise.all(
    values.map(async (value) => ruleErrors(tree, { value: instanceOf(batch, 'asked', value), path: '' })),
  );
  return found.map((errors) => verdictsOf(errors.map(fieldErrorCause)));
}

/** Compared rule by rule, which makes differences easier to read. */
function byRule(batch: RecordedBatch, verdicts: ReturnType<typeof verdictsOf>): readonly unknown[] {
  return [...batch.rules.map(({ rule }, index) => [rule, verdicts[index] ?? []]), verdicts[''] ?? []];
}

it('are many', () => {
  expect(new Set(batches.flatMap(({ rules }) => rules.map(({ rule }) => rule))).size).toBeGreaterThan(3000);
});

describe('rules that are refused', () => {
  for (const [index, batch] of batches.entries()) {
    it(`${index}: ${batch.input}, ${batch.rules.length}`, () => {
      expect(byRule(batch, refused(batch))).toEqual(byRule(batch, batch.refused ?? {}));
    });
  }
});

describe('values and rules', () => {
  for (const [index, batch] of batches.entries()) {
    if (batch.broken === undefined) continue;
    it(`${index}: ${batch.input}, ${batch.rules.length}`, async () => {
      const found = (await broken(batch)).map((verdicts) => byRule(batch, verdicts));
      expect(found).toEqual((batch.broken ?? []).map((verdicts) => byRule(batch, verdicts)));
    });
  }
});
