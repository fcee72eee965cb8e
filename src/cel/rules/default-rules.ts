import type { FieldErrors } from '../../api/errors/field-error.ts';
import type { JsonValue } from '../../api/json/json.ts';
import type { JsonSchema } from '../../schema/custom/json-schema.ts';
import { Correlation } from './correlation.ts';
import { maxObjectCost } from './limits.ts';
import { ObjectRun } from './object-rules.ts';
import type { RuleTimes } from './rule-times.ts';
import { ruleTree } from './rule-tree.ts';
import { withoutPauses } from '../program/pause.ts';

export interface DefaultValue {
  readonly schema: JsonSchema;
  /** The schema of an object, with kind and metadata. */
  readonly isResource: boolean;
  readonly value: JsonValue;
  readonly path: string;
}

/** Checks the default values of one schema against its rules, within the cost budget of one object. */
export class DefaultRules {
  #budget: number | undefined = maxObjectCost;
  readonly #times: RuleTimes;

  constructor(times: RuleTimes) {
    this.#times = times;
  }

  get isExhausted(): boolean {
    return this.#budget === undefined;
  }

  /** A default must satisfy the rules both as an update of itself and as a new value. */
  *errors({ schema, isResource, value, path }: DefaultValue): FieldErrors {
    const tree = ruleTree(schema, isResource, this.#times);
    if (tree === undefined) return;
    const before = this.#budget;
    const correlation = Correlation.ofRoot(value, undefined);
    const unchanged = new ObjectRun(before);
    const wrong = withoutPauses(unchanged.errors(tree, { path, value, old: value, correlation }));
    yield* wrong;
    this.#budget = unchanged.budget;
    if (wrong.length > 0) return;
    const fresh = new ObjectRun(before);
    yield* withoutPauses(fresh.errors(tree, { path, value, old: undefined, correlation }));
    this.#budget = lesser(unchanged.budget, fresh.budget);
  }
}

function lesser(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.min(a, b);
}
