import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import type { StatusCause } from '../../../src/api/errors/status.ts';
import { allCases } from '../cel/cases.ts';
import { expressions } from './expressions.ts';
import { inputs } from './inputs.ts';

export interface Rule {
  readonly rule: string;
  readonly messageExpression?: string;
}

/** Rules for one input. Each rule is on a field of its own, named by its number. */
export interface Batch {
  readonly input: string;
  readonly rules: readonly Rule[];
}

/** The reference's results by rule number: that a rule is invalid, or its verdicts on the values of the input. */
export interface RecordedBatch extends Batch {
  readonly refused?: { readonly [rule: string]: readonly Verdict[] };
  /** Per value of the input, the rules that do not hold. */
  readonly broken?: readonly { readonly [rule: string]: readonly Verdict[] }[];
}

/** Reason, message, and the rest of the path after the field. */
export type Verdict = readonly [reason: string, message: string, rest: string];

const perBatch = 40;
/** Expressions on literals are recorded separately too, so only every second one is repeated here. */
const everyLiteral = 2;

/** A rule that never holds and whose message contains the expression's value. */
function telling(expression: string): Rule {
  return { rule: `dyn(${expression}) == null`, messageExpression: `"%s".format([${expression}])` };
}

/** A known difference; `test/recorded/cel` has the reason, and fails when it no longer applies. */
const known = new Set(['has(self.in)']);

export function allBatches(): readonly Batch[] {
  const cases = allCases().filter(({ expression }) => !known.has(expression));
  const literals = cases.filter(isAboutLiterals);
  const others = cases.filter(({ setting, version, patch }) => setting !== 'plain' && !version && patch !== true);
  return [
    ...Object.entries(expressions).map(([input, list]) => ({ input, rules: list.map(telling) })),
    {
      input: 'plain',
      rules: literals.filter((_, index) => index % everyLiteral === 0).map(({ expression }) => telling(expression)),
    },
    ...[...Map.groupBy(others, ({ setting }) => setting)].map(([input, list]) => ({
      input,
      rules: list.flatMap(({ expression }) => [telling(expression), { rule: expression }]),
    })),
  ]
    .filter(({ input }) => input in inputs)
    .flatMap(divided);
}

function isAboutLiterals({ setting, expression }: { readonly setting: string; readonly expression: string }): boolean {
  // Multi-line rules must have a message.
  return setting === 'plain' && !/[\n\r]/.test(expression) && !/(?<![\w."'\\])[dlsn](?![\w"'(])/.test(expression);
}

export function divided({ input, rules }: Batch): readonly Batch[] {
  return Array.from({ length: Math.ceil(rules.length / perBatch) }, (_, index) => ({
    input,
    rules: rules.slice(index * perBatch, (index + 1) * perBatch),
  }));
}

export const group = 'rules.recorded.example.com';

export function definitionOf({ input, rules }: Batch, plural: string): JsonObject {
  const { schema = {} } = inputs[input] ?? {};
  const properties = rules.map((rule, index) => [`p${index}`, { ...schema, 'x-kubernetes-validations': [rule] }]);
  // Schemas are JSON.
  const spec = { type: 'object', properties: Object.fromEntries(properties) } as unknown as JsonObject;
  const openAPIV3Schema: JsonObject = { type: 'object', properties: { spec } };
  const names = { plural, singular: plural, kind: `K${plural}`, listKind: `K${plural}List` };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

export function instanceOf({ rules }: Batch, plural: string, value: JsonValue): JsonObject {
  const spec = Object.fromEntries(rules.map((_, index) => [`p${index}`, value]));
  return { apiVersion: `${group}/v1`, kind: `K${plural}`, metadata: { name: 'x' }, spec };
}

/** Causes by rule number; those of all rules together have none. */
export function verdictsOf(causes: readonly StatusCause[]): { readonly [rule: string]: readonly Verdict[] } {
  const verdicts: { [rule: string]: Verdict[] } = {};
  for (const { reason = '', message = '', field = '' } of causes) {
    const [, rule = '', rest = ''] =
      /^spec\.validation\.openAPIV3Schema\.properties\[spec\]\.properties\[p(\d+)\]\.x-kubernetes-validations\[0\](.*)$/.exec(
        field,
      ) ??
      /^spec\.p(\d+)(.*)$/.exec(field) ??
      [];
    (verdicts[rule] ??= []).push([reason, message.replace(/\bselfType\d+/g, 'selfType'), rest]);
  }
  return verdicts;
}
