import {
  childPath,
  type FieldError,
  type FieldErrors,
  type FieldErrorType,
  invalidField,
  keyPath,
} from '../../api/field-error.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json.ts';
import { inTurns, finish } from '../../api/turns.ts';
import { secondsSince } from '../../api/seconds-since.ts';
import { sameItem } from '../../schema/custom/former-value.ts';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import type { Schema } from '../../schema/schema.ts';
import { prepareExpressions } from '../environments/kubernetes.ts';
import { Correlation } from './correlation.ts';
import { itemOf, memberOf } from '../values/value.ts';
import { evaluatingRules, type RuleFailure } from './evaluate-rules.ts';
import { maxObjectCost } from './limits.ts';
import { untimed } from './rule-times.ts';
import { type RuleTree, ruleTree } from './rule-tree.ts';

export interface RuledValue {
  readonly value: JsonValue;
  /** The previous object, with the schema that decides what counts as unchanged. */
  readonly old?: { readonly schema: Schema; readonly value: JsonValue } | undefined;
  /** Field path of the value. */
  readonly path: string;
}

/** The rules of a kind, by its schema; undefined when it has none. */
export async function prepareRules(schema: JsonSchema, times = untimed): Promise<RuleTree | undefined> {
  await prepareExpressions();
  return await inTurns(ruleTree(schema, true, times));
}

/** Violations in a value and below it. Pauses between rules; the total cost is limited. */
export function* ruleErrors(tree: RuleTree, { value, old, path }: RuledValue): FieldErrors {
  const correlation = Correlation.ofRoot(value, old);
  yield* new ObjectRun().errors(tree, { path, value, old: old?.value, correlation });
}

export interface RulePlace {
  readonly path: string;
  readonly value: JsonValue;
  /** The value of `self`, if the value alone does not tell that it is a double. */
  readonly self?: unknown;
  /** The value of `oldSelf`. */
  readonly old: JsonValue | undefined;
  /** Whether the value is unchanged; the two differ inside of lists that are not maps. */
  readonly correlation: Correlation;
}

/** Evaluates the rules of one object or value within the cost budget. */
export class ObjectRun {
  #budget: number | undefined;

  constructor(budget: number = maxObjectCost) {
    this.#budget = budget;
  }

  /** The remaining budget; undefined when evaluation must stop. */
  get budget(): number | undefined {
    return this.#budget;
  }

  *errors(tree: RuleTree, place: RulePlace): FieldErrors {
    if (this.#budget === undefined) return;
    const { value } = place;
    const startMs = performance.now();
    if (tree.rules.length > 0 && value !== null) yield* this.#own(tree, place, this.#budget);
    if (Array.isArray(value)) yield* this.#inList(tree, value, place);
    else if (isJsonObject(value)) yield* this.#inObject(tree, value, place);
    tree.times.evaluated(secondsSince(startMs));
  }

  *#own(tree: RuleTree, { path, value, self = value, old, correlation }: RulePlace, budget: number): FieldErrors {
    const rules = finish(tree.compiled());
    const type = tree.schema.type ?? '';
    if (rules === undefined) {
      yield invalidField(path, type, `rule compiler initialization error: ${notVisible}`);
      return;
    }
    const evaluation = finish(evaluatingRules(rules, { self, oldSelf: old }, budget));
    this.#budget = evaluation.budget;
    for (const failure of evaluation.failures) {
      const error = failureError(failure, { path, type, value });
      yield failure.isRatcheted && correlation.isUnchanged ? { ...error, isForgiven: true } : error;
    }
  }

  *#inList({ schema, branches: { items } }: RuleTree, list: readonly JsonValue[], place: RulePlace): FieldErrors {
    if (items === undefined) return;
    const keys = schema['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    for (const [index, value] of list.entries()) {
      const old = Array.isArray(place.old) ? sameItem(place.old, value, keys) : undefined;
      const correlation = place.correlation.item(value);
      const self = itemOf(list, index);
      yield* this.errors(items, { path: keyPath(place.path, index), value, self, old, correlation });
    }
  }

  *#inObject({ branches: { values, properties } }: RuleTree, object: JsonObject, place: RulePlace): FieldErrors {
    if (values === undefined && properties.size === 0) return;
    for (const [name, value] of Object.entries(object)) {
      const tree = values ?? properties.get(name);
      if (tree === undefined) continue;
      const old = isJsonObject(place.old) ? getOwn(place.old, name) : undefined;
      const path = values === undefined ? childPath(place.path, name) : keyPath(place.path, name);
      const self = memberOf(object, name);
      yield* this.errors(tree, { path, value, self, old, correlation: place.correlation.field(name, value) });
    }
  }
}

const notVisible = 'failed to convert to declType for CEL validation rules';

const reasons: ReadonlySet<string> = new Set<FieldErrorType>([
  'FieldValueForbidden',
  'FieldValueRequired',
  'FieldValueDuplicate',
]);

interface Failing {
  readonly path: string;
  readonly type: string;
  readonly value: JsonValue;
}

function failureError(failure: RuleFailure, { path, type, value }: Failing): FieldError {
  const { fieldPath, detail, shows, reason } = failure;
  // the set consists of error types
  const kind = reasons.has(reason) ? (reason as FieldErrorType) : 'FieldValueInvalid';
  const field = fieldPath === '' ? path : childPath(path, fieldPath);
  const shown = shows === 'type' ? type : value;
  return {
    ...{ type: kind, field, detail: kind === 'FieldValueDuplicate' ? '' : detail },
    ...(shows === 'nothing' ? {} : { value: shown }),
  };
}
