import type { AdmissionAttributes, ServedVersion } from '../../api/admission.ts';
import type { Authorizer } from '../../api/authorization.ts';
import { inTurns, type Work } from '../../api/turns.ts';
import { type CompiledExpression, compilingCondition, ExpressionError } from '../../cel/compile-expression.ts';
import { admissionEnvironment } from '../../cel/environments/admission.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { authorizerTypes, CheckValue } from '../../cel/libraries/authorizer.ts';
import { boundAuthorizer } from '../../cel/libraries/bound-authorizer.ts';
import { type Bindings, failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { fromJson } from '../../cel/values/value.ts';
import type { MatchCondition } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { requestOf } from '../matching/request.ts';
import type { WrittenVersion } from '../matching/written-versions.ts';

/** What the conditions of one webhook may cost together. */
const maxConditionsCost = 2_500_000;

/** What conditions are about. */
interface ConditionInput {
  readonly call: ServedVersion;
  readonly attributes: AdmissionAttributes;
  readonly version: WrittenVersion;
  readonly authorizer: Authorizer;
}

export interface ConditionResult {
  readonly matches: boolean;
  /** Failures of conditions, of which none was false. */
  readonly errors: readonly string[];
}

/** Evaluates the match conditions of a webhook, the first of which to be false decides. */
export async function evaluateConditions(
  conditions: CompiledConditions,
  about: ConditionInput,
): Promise<ConditionResult> {
  const bindings = bindingsOf(about);
  const errors: string[] = [];
  let budget = maxConditionsCost;
  for (const condition of conditions) {
    if (condition instanceof ExpressionError) {
      errors.push(`compilation error: ${condition.message}`);
      continue;
    }
    const { text, program } = condition;
    // oxlint-disable-next-line no-await-in-loop -- the first false condition ends it
    const evaluation = await program.evaluateWaiting(bindings, maxCallCost);
    budget -= evaluation.cost;
    if (budget < 0) return { matches: false, errors: [outOfBudget] };
    const failure = failureOf(evaluation);
    if (failure !== undefined) errors.push(`expression '${text}' resulted in error: ${failure}`);
    else if (evaluation.value === false) return { matches: false, errors: [] };
  }
  return { matches: errors.length === 0, errors };
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** Stored conditions as programs, or as errors where they do not compile. */
export type CompiledConditions = readonly (CompiledExpression | ExpressionError)[];

/** Compiles the conditions of a webhook, in turns with other work. */
export async function compileConditions(conditions: readonly MatchCondition[]): Promise<CompiledConditions> {
  await prepareExpressions();
  const environment = admissionEnvironment(storedExpressionEnvironment());
  return await inTurns(compiling(environment, conditions));
}

function* compiling(environment: Environment, conditions: readonly MatchCondition[]): Work<CompiledConditions> {
  const compiled: (CompiledExpression | ExpressionError)[] = [];
  for (const { expression = '' } of conditions) {
    try {
      compiled.push(yield* compilingCondition(environment, expression));
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      compiled.push(error);
    }
  }
  return compiled;
}

function bindingsOf({ call, attributes, version, authorizer }: ConditionInput): Bindings {
  const { group, resource, subresource, namespace, name, user, dryRun, options } = attributes;
  const bound = boundAuthorizer(user, authorizer);
  return {
    get object() {
      return fromJson(version.object);
    },
    get oldObject() {
      return fromJson(version.oldObject);
    },
    get request() {
      return fromJson({ ...requestOf(call, attributes), dryRun, options });
    },
    namespaceObject: null,
    authorizer: bound,
    get ['authorizer.requestResource']() {
      return new CheckValue(authorizerTypes.resourceCheck, bound, { group, resource, subresource, namespace, name });
    },
  };
}
