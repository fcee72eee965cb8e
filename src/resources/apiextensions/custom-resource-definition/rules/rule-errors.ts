import {
  childPath,
  type FieldError,
  forbiddenField,
  invalidField,
  keyPath,
} from '../../../../api/errors/field-error.ts';
import { secondsSince } from '../../../../api/time/seconds-since.ts';
import {
  type CompiledRule,
  compiledRules,
  maxCardinality,
  type RuleOptions,
} from '../../../../cel/rules/compile-rule.ts';
import type { RuleTimes } from '../../../../cel/rules/rule-times.ts';
import { type JsonSchema, schemaIn } from '../../../../schema/custom/json-schema.ts';
import { internalValue } from '../../../parts/rules/internal-value.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import { maxExpressionCost, product, tooDear, TotalCost } from './costs.ts';
import { RuleScope } from './rule-scope.ts';

export interface RuleRequirements extends Pick<RuleOptions, 'environmentOf'> {
  /** Parts of the schema with errors at or below them: their rules are not compiled. */
  readonly faulty: ReadonlySet<JsonSchema>;
  readonly times: RuleTimes;
  /** Whether the limit per expression applies; the total limit always does. */
  readonly limitsEach: boolean;
}

/** Errors of the expressions of a structural schema and its subschemas. Pauses between expressions. */
export function* ruleErrors(schema: JsonSchema, path: string, requirements: RuleRequirements): Errors {
  const walk = new RuleWalk(requirements);
  yield* walk.errors(RuleScope.ofRoot(schema), path);
  yield* walk.total.errors(path);
}

/** Most properties: nothing to walk, and nothing to say about. */
function isLeafWithoutRules(schema: JsonSchema): boolean {
  const { properties, items, additionalProperties, 'x-kubernetes-validations': rules } = schema;
  return properties === undefined && items === undefined && additionalProperties === undefined && rules === undefined;
}

class RuleWalk {
  readonly total = new TotalCost();
  readonly #requirements: RuleRequirements;

  constructor(requirements: RuleRequirements) {
    this.#requirements = requirements;
  }

  *errors(scope: RuleScope, path: string): Errors {
    const { schema } = scope;
    const values = schemaIn(schema.additionalProperties);
    if (values !== undefined) yield* this.errors(scope.values(values), childPath(path, 'additionalProperties'));
    const propertiesPath = childPath(path, 'properties');
    const { properties = {} } = schema;
    for (const name of Object.keys(properties)) {
      const property = properties[name] ?? {};
      if (isLeafWithoutRules(property)) continue;
      yield* this.errors(scope.property(name, property, path), keyPath(propertiesPath, name));
    }
    const items = schemaIn(schema.items);
    if (items !== undefined) yield* this.errors(scope.items(items, path), childPath(path, 'items'));
    if ((schema['x-kubernetes-validations'] ?? []).length === 0 || this.#requirements.faulty.has(schema)) return;
    const startMs = performance.now();
    yield* this.#own(scope, childPath(path, 'x-kubernetes-validations'));
    this.#requirements.times.compiled(secondsSince(startMs));
  }

  *#own(scope: RuleScope, path: string): Errors {
    const declared = scope.declared();
    if (declared === undefined) {
      yield notVisible(path);
      return;
    }
    const { environmentOf } = this.#requirements;
    const cardinality = scope.cardinality ?? BigInt(maxCardinality(declared));
    let index = 0;
    for (const rule of compiledRules(scope.schema, { declared, environmentOf })) {
      if (rule === undefined) {
        continue;
      }
      const cost = product(rule.condition?.maxCost ?? 0n, cardinality);
      yield* this.#ofRule(rule, { path: keyPath(path, index), cost, scope });
      index += 1;
    }
  }

  *#ofRule(compiled: CompiledRule, { path, cost, scope }: Standing): Errors {
    const { rule, error, message, messageError, usesOldSelf } = compiled;
    const rulePath = childPath(path, 'rule');
    const messagePath = childPath(path, 'messageExpression');
    const shown = internalValue('apiextensions.ValidationRule', rule);
    yield* this.#cost('estimated rule cost', rulePath, cost);
    if (error !== undefined) yield invalidField(rulePath, shown, error);
    if (messageError !== undefined) yield invalidField(messagePath, shown, messageError);
    else if (message !== undefined) {
      yield* this.#cost('estimated messageExpression cost', messagePath, message.maxCost);
    }
    if (usesOldSelf && scope.uncorrelatable !== undefined) {
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${scope.uncorrelatable}`;
      yield invalidField(rulePath, rule.rule, detail);
    } else if (!usesOldSelf && rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      yield invalidField(childPath(path, 'optionalOldSelf'), rule.optionalOldSelf, detail);
    }
  }

  *#cost(what: string, path: string, cost: bigint): Errors {
    this.total.add(path, cost);
    if (!this.#requirements.limitsEach || cost <= maxExpressionCost) return;
    yield forbiddenField(path, tooDear(what, cost, maxExpressionCost));
  }
}

interface Standing {
  readonly path: string;
  readonly cost: bigint;
  readonly scope: RuleScope;
}

function notVisible(path: string): FieldError {
  const detail =
    'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations';
  return { type: 'InternalError', field: path, detail };
}
