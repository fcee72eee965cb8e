import { type FieldError, type FieldErrors, invalidField } from '../api/field-error.ts';
import type { JsonObject } from '../api/json.ts';
import type * as ObjectRules from '../cel/rules/object-rules.ts';
import type { RuleTree } from '../cel/rules/rule-tree.ts';
import { hasRules } from '../schema/custom/json-schema.ts';
import type { Schema } from '../schema/schema.ts';

// The rules of custom kinds. A server whose kinds have none does without the whole language.

let loaded: typeof ObjectRules | undefined;

/** The rules of each schema; null for those that have none. */
const trees = new WeakMap<Schema, RuleTree | null>();

/** To be awaited before objects of the schema are judged; undefined when there is nothing to wait for. */
export function readyForRules(schema: Schema): Promise<void> | undefined {
  return trees.has(schema) ? undefined : prepare(schema);
}

async function prepare(schema: Schema): Promise<void> {
  const { definition } = schema;
  if (definition === undefined || !hasRules(definition)) {
    trees.set(schema, null);
    return;
  }
  loaded ??= await import('../cel/rules/object-rules.ts');
  trees.set(schema, (await loaded.prepareRules(definition)) ?? null);
}

/** The reference has no path for what is wrong with an object as a whole. */
export const noPath = '<nil>';

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notAsked = invalidField(
  noPath,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

interface Ruled {
  readonly schema: Schema;
  readonly object: JsonObject;
}

/** All other errors, and those of the rules, which are not asked about an object that has errors of some types. */
export function* withRules<T extends Ruled, Old extends JsonObject | undefined>(
  errorsOf: (view: T, old: Old) => FieldErrors,
  view: T,
  old: Old,
): FieldErrors {
  const errors = errorsOf(view, old);
  const { schema, object } = view;
  const tree = trees.get(schema);
  if (tree === null) return yield* errors;
  if (tree === undefined || loaded === undefined) throw new Error('rules are asked before they are there');
  let isBlocked = false;
  for (const error of errors) {
    isBlocked ||= error !== undefined && blocking.has(error.type);
    yield error;
  }
  if (isBlocked) return yield notAsked;
  const change = { value: object, old: old === undefined ? undefined : { schema, value: old }, path: '' };
  for (const error of loaded.ruleErrors(tree, change)) {
    yield error?.field === '' ? { ...error, field: noPath } : error;
  }
}
