import type { Environment } from '../../../../cel/environments/environment.ts';
import {
  newExpressionEnvironment,
  prepareExpressions,
  storedExpressionEnvironment,
} from '../../../../cel/environments/kubernetes.ts';
import type { ExpressionUse } from '../../../../cel/rules/compile-rule.ts';
import type { RuleTimes } from '../../../../cel/rules/rule-times.ts';
import { DefaultRules } from '../../../../cel/rules/default-rules.ts';
import { everySchema, type JsonSchema } from '../../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import { sameValue } from '../../../parts/rules/same-value.ts';
import type { ValidatedSchema, RuleValidator } from '../rule-validator.ts';
import { ruleErrors } from './rule-errors.ts';

/** Compiles the expressions of a definition. Stored ones are compiled as before, and may keep their cost. */
class ExpressionValidator implements RuleValidator {
  readonly #definition: CustomResourceDefinition;
  readonly #old: CustomResourceDefinition | undefined;
  readonly #fresh: Environment;
  readonly #times: RuleTimes;
  readonly #known: Expressions;

  constructor({ definition, old, minor, times }: ValidatedDefinition, known: Expressions) {
    this.#times = times;
    this.#definition = definition;
    this.#old = old;
    this.#fresh = newExpressionEnvironment(minor);
    this.#known = known;
  }

  schemaErrors(schema: JsonSchema, path: string, { version, faulty }: ValidatedSchema): Errors {
    return ruleErrors(schema, path, {
      faulty,
      times: this.#times,
      limitsEach: !this.#isUnchanged(version),
      environmentOf: (expression, use) =>
        this.#known[use].has(expression) ? storedExpressionEnvironment() : this.#fresh,
    });
  }

  defaults(): DefaultRules {
    return new DefaultRules(this.#times);
  }

  #isUnchanged(name: string): boolean {
    const [version, old] = [versionOf(this.#definition, name), versionOf(this.#old, name)];
    return version !== undefined && old !== undefined && sameValue(version.schema, old.schema);
  }
}

export interface ValidatedDefinition {
  readonly definition: CustomResourceDefinition;
  readonly old: CustomResourceDefinition | undefined;
  /** The minor release that must still understand new expressions. */
  readonly minor: number;
  readonly times: RuleTimes;
}

export async function ruleValidatorFor(validated: ValidatedDefinition): Promise<RuleValidator> {
  await prepareExpressions();
  return new ExpressionValidator(validated, expressionsOf(validated.old));
}

type Version = NonNullable<NonNullable<CustomResourceDefinition['spec']>['versions']>[number];

function versionOf(definition: CustomResourceDefinition | undefined, name: string): Version | undefined {
  return definition?.spec?.versions?.find((version) => version.name === name);
}

type Expressions = { readonly [use in ExpressionUse]: ReadonlySet<string> };

function expressionsOf(definition: CustomResourceDefinition | undefined): Expressions {
  const known = { rule: new Set<string>(), messageExpression: new Set<string>() };
  for (const { schema } of definition?.spec?.versions ?? []) {
    for (const part of everySchema(schema?.openAPIV3Schema ?? {})) {
      for (const { rule = '', messageExpression = '' } of part?.['x-kubernetes-validations'] ?? []) {
        known.rule.add(rule);
        known.messageExpression.add(messageExpression);
      }
    }
  }
  return known;
}
