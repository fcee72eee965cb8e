import {
  childPath,
  type FieldError,
  type FieldErrorType,
  invalidField,
  keyPath,
} from '../../api/errors/field-error.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import { sameItem } from '../../schema/custom/former-value.ts';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import type { Schema } from '../../schema/schema.ts';
import { prepareExpressions } from '../environments/kubernetes.ts';
import type { Limits } from '../program/frame.ts';
import { Pause, settled } from '../program/pause.ts';
import type { CompiledRules } from './compile-rule.ts';
import { Correlation } from './correlation.ts';
import { itemOf, memberOf } from '../values/value.ts';
import { evaluateRules, type RuleEvaluation, type RuleFailure } from './evaluate-rules.ts';
import { maxCallCost, maxObjectCost } from './limits.ts';
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
  return ruleTree(schema, true, times);
}

/** Violations in an object; the total cost is limited. */
export function ruleErrors(tree: RuleTree, { value, old, path }: RuledValue): Soon<readonly FieldError[]> {
  const correlation = Correlation.ofRoot(value, old);
  const run = new ObjectRun();
  return settled(run.errors(tree, { path, value, old: old?.value, correlation }), run.timeSlice);
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

/** A value with rules, or the end of one that is not before its rules and those in it have been evaluated. */
type Stop =
  | { readonly tree: RuleTree; readonly place: RulePlace }
  | { readonly tree: RuleTree; readonly startMs: number };

/** Evaluates the rules of one object or value within the cost budget. */
export class ObjectRun {
  readonly timeSlice = new TimeSlice();
  readonly #each: Limits = { costLimit: maxCallCost, timeSlice: this.timeSlice };
  readonly #errors: FieldError[] = [];
  #budget: number | undefined;

  constructor(budget: number | undefined = maxObjectCost) {
    this.#budget = budget;
  }

  /** The remaining budget; undefined when evaluation must stop. */
  get budget(): number | undefined {
    return this.#budget;
  }

  errors(tree: RuleTree, place: RulePlace): readonly FieldError[] | Pause<readonly FieldError[]> {
    return this.#through(this.#stopsIn(tree, place));
  }

  #through(stops: Iterator<Stop>): readonly FieldError[] | Pause<readonly FieldError[]> {
    for (let next = stops.next(); next.done !== true; next = stops.next()) {
      const { value: stop } = next;
      if ('startMs' in stop) {
        stop.tree.times.evaluated(secondsSince(stop.startMs));
        continue;
      }
      const pause = this.#at(stop.tree, stop.place);
      if (pause !== undefined) return pause.before(() => this.#through(stops));
    }
    return this.#errors;
  }

  #at(tree: RuleTree, place: RulePlace): Pause<undefined> | undefined {
    const { self = place.value, old: oldSelf } = place;
    const rules = tree.compiled();
    const evaluate = (compiled: CompiledRules | undefined): Pause<undefined> | undefined => {
      if (compiled === undefined) return this.#unseen(tree, place);
      const limits = { budget: this.#budget ?? 0, each: this.#each };
      const evaluation = evaluateRules(compiled, { self, oldSelf }, limits);
      const take = (result: RuleEvaluation): undefined => this.#take(result, tree, place);
      return evaluation instanceof Pause ? evaluation.before(take) : take(evaluation);
    };
    return rules instanceof Pause ? rules.before(evaluate) : evaluate(rules);
  }

  #unseen({ schema }: RuleTree, { path }: RulePlace): undefined {
    this.#errors.push(invalidField(path, schema.type ?? '', `rule compiler initialization error: ${notVisible}`));
  }

  #take(
    { budget, failures }: RuleEvaluation,
    { schema }: RuleTree,
    { path, value, correlation }: RulePlace,
  ): undefined {
    this.#budget = budget;
    for (const failure of failures) {
      const error = failureError(failure, { path, type: schema.type ?? '', value });
      this.#errors.push(failure.isRatcheted && correlation.isUnchanged ? { ...error, isForgiven: true } : error);
    }
  }

  /** All values with rules, in order; they are looked for one by one. */
  *#stopsIn(tree: RuleTree, place: RulePlace): Generator<Stop> {
    if (this.#budget === undefined) return;
    const { value } = place;
    const startMs = performance.now();
    if (tree.rules.length > 0 && value !== null) yield { tree, place };
    if (Array.isArray(value)) yield* this.#stopsInList(tree, value, place);
    else if (isJsonObject(value)) yield* this.#stopsInObject(tree, value, place);
    yield { tree, startMs };
  }

  *#stopsInList(
    { schema, branches: { items } }: RuleTree,
    list: readonly JsonValue[],
    place: RulePlace,
  ): Generator<Stop> {
    if (items === undefined) return;
    const keys = schema['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
    for (const [index, value] of list.entries()) {
      const old = Array.isArray(place.old) ? sameItem(place.old, value, keys) : undefined;
      const correlation = place.correlation.item(value);
      const self = itemOf(list, index);
      yield* this.#stopsIn(items, { path: keyPath(place.path, index), value, self, old, correlation });
    }
  }

  *#stopsInObject(
    { branches: { values, properties } }: RuleTree,
    object: JsonObject,
    place: RulePlace,
  ): Generator<Stop> {
    if (values === undefined && properties.size === 0) return;
    for (const [name, value] of Object.entries(object)) {
      const tree = values ?? properties.get(name);
      if (tree === undefined) continue;
      const old = isJsonObject(place.old) ? getOwn(place.old, name) : undefined;
      const path = values === undefined ? childPath(place.path, name) : keyPath(place.path, name);
      const self = memberOf(object, name);
      yield* this.#stopsIn(tree, { path, value, self, old, correlation: place.correlation.field(name, value) });
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
    type: kind,
    field,
    detail: kind === 'FieldValueDuplicate' ? '' : detail,
    ...(shows === 'nothing' ? {} : { value: shown }),
  };
}
