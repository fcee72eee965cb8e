import { type FieldError, type FieldErrors, invalidField } from '../api/errors/field-error.ts';
import { allOf, maxFound } from '../api/errors/findings.ts';
import type { JsonObject } from '../api/json/json.ts';
import type { Soon } from '../api/scheduling/soon.ts';
import type * as ObjectRules from '../cel/rules/object-rules.ts';
import type { RuleTimes } from '../cel/rules/rule-times.ts';
import type { RuleTree } from '../cel/rules/rule-tree.ts';
import { hasRules } from '../schema/custom/json-schema.ts';
import type { Schema } from '../schema/schema.ts';

// Validation rules of custom resources. CEL is loaded only when some kind has rules.

let loaded: typeof ObjectRules | undefined;

/** Compiled rules by schema; null for schemas without rules. */
const trees = new WeakMap<Schema, RuleTree | null>();

/** Await before validating objects of the schema; undefined when nothing has to be loaded. */
export function readyForRules(schema: Schema, times: RuleTimes): Promise<void> | undefined {
  return trees.has(schema) ? undefined : prepare(schema, times);
}

async function prepare(schema: Schema, times: RuleTimes): Promise<void> {
  const { definition } = schema;
  if (definition === undefined || !hasRules(definition)) {
    trees.set(schema, null);
    return;
  }
  loaded ??= await import('../cel/rules/object-rules.ts');
  trees.set(schema, (await loaded.prepareRules(definition, times)) ?? null);
}

/** The path that the reference reports for errors of the object as a whole. */
export const noPath = '<nil>';

const blocking: ReadonlySet<FieldError['type']> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

const notEvaluated = invalidField(
  noPath,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

interface Ruled {
  readonly schema: Schema;
  readonly object: JsonObject;
}

interface Before<Old> {
  readonly old: Old;
  /** Errors of the object that are reported already. */
  readonly earlier?: readonly FieldError[] | undefined;
}

/** What is known of an object before it is validated. */
interface Validated {
  /** By its schema. */
  readonly errors: readonly FieldError[];
  /** Undefined: rules are skipped for objects that have errors of certain types. */
  readonly violations: readonly FieldError[] | undefined;
}

const validated = new WeakMap<JsonObject, Validated>();

/** Evaluates the rules of an object, which may take long; to be awaited before `withRules`. */
export function evaluateRules<T extends Ruled, Old extends JsonObject | undefined>(
  errorsOf: (view: T, old: Old) => FieldErrors,
  view: T,
  old: Old,
): Soon<void> {
  const { schema, object } = view;
  const tree = trees.get(schema);
  if (tree === null) return;
  if (tree === undefined || loaded === undefined) throw new Error('the rules are not loaded');
  const errors = allOf(errorsOf(view, old));
  if (errors.length > maxFound || errors.some(({ type }) => blocking.has(type))) {
    validated.set(object, { errors, violations: undefined });
    return;
  }
  const change = { value: object, old: old === undefined ? undefined : { schema, value: old }, path: '' };
  const violations = loaded.ruleErrors(tree, change);
  const keep = (found: readonly FieldError[]): void => void validated.set(object, { errors, violations: found });
  return violations instanceof Promise ? violations.then(keep) : keep(violations);
}

/** Schema errors followed by rule errors. */
export function* withRules<T extends Ruled, Old extends JsonObject | undefined>(
  errorsOf: (view: T, old: Old) => FieldErrors,
  view: T,
  { old, earlier = [] }: Before<Old>,
): FieldErrors {
  const { schema, object } = view;
  if (trees.get(schema) === null) return yield* errorsOf(view, old);
  const known = validated.get(object);
  if (known === undefined) throw new Error('an object is validated before its rules have been evaluated');
  const { errors, violations } = known;
  yield* errors;
  if (violations === undefined || earlier.some(({ type }) => blocking.has(type))) return yield notEvaluated;
  for (const error of violations) {
    yield { ...error, field: error.field === '' ? noPath : error.field, mayRepeat: true };
  }
}
