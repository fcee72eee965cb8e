import type { AdmissionAttributes } from '../../api/admission.ts';
import type { Authorizer } from '../../api/authorization.ts';
import { joinedErrors } from '../../api/error-texts.ts';
import { admissionEnvironment } from '../../cel/environments/admission.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { authorizerTypes, CheckValue } from '../../cel/libraries/authorizer.ts';
import { boundAuthorizer } from '../../cel/libraries/bound-authorizer.ts';
import { CelProgramError } from '../../cel/program/frame.ts';
import { type Bindings, failureOf, type Program } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { CelCompileError } from '../../cel/source.ts';
import { types, typeText } from '../../cel/types/cel-type.ts';
import { fromJson } from '../../cel/values/value.ts';
import type { MatchCondition } from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { requestOf } from '../matching/request.ts';
import type { WrittenVersion } from '../matching/written-versions.ts';
import type { Hook, HookCall } from './hook.ts';

/** What the conditions of one webhook may cost together. */
const maxConditionsCost = 2_500_000;

interface CompiledCondition {
  readonly expression: string;
  readonly program: Program | Error;
}

export interface ConditionResult {
  readonly matches: boolean;
  /** Failures of conditions, of which none was false. */
  readonly errors: readonly string[];
}

const compiled = new WeakMap<Hook, readonly CompiledCondition[]>();
let environment: Environment | undefined;

/** Evaluates the match conditions of a webhook, the first of which to be false decides. */
export async function evaluateConditions(
  call: HookCall,
  attributes: AdmissionAttributes,
  { version, authorizer }: { readonly version: WrittenVersion; readonly authorizer: Authorizer },
): Promise<ConditionResult> {
  await prepareExpressions();
  const bindings = bindingsOf(call, attributes, { version, authorizer });
  const errors: string[] = [];
  let budget = maxConditionsCost;
  for (const { expression, program } of conditionsOf(call.hook)) {
    if (program instanceof Error) {
      errors.push(`compilation error: ${program.message}`);
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- the first false condition ends it
    const evaluation = await program.evaluateWaiting(bindings, maxCallCost);
    budget -= evaluation.cost;
    if (budget < 0) return { matches: false, errors: [outOfBudget] };
    const failure = failureOf(evaluation);
    if (failure !== undefined) errors.push(`expression '${expression}' resulted in error: ${failure}`);
    else if (evaluation.value === false) return { matches: false, errors: [] };
  }
  return { matches: errors.length === 0, errors };
}

const outOfBudget = 'validation failed due to running out of cost budget, no further validation rules will be run';

/** The errors as one. */
export function conditionErrorText(errors: readonly string[]): string {
  return joinedErrors(errors);
}

function conditionsOf(hook: Hook): readonly CompiledCondition[] {
  let conditions = compiled.get(hook);
  if (conditions === undefined) compiled.set(hook, (conditions = hook.conditions.map(compile)));
  return conditions;
}

function compile({ expression = '' }: MatchCondition): CompiledCondition {
  environment ??= admissionEnvironment(storedExpressionEnvironment());
  try {
    const checked = environment.check(expression);
    if (checked.type === types.bool) return { expression, program: checked.program() };
    return { expression, program: new Error(`must evaluate to bool but got ${typeText(checked.type)}`) };
  } catch (error) {
    if (error instanceof CelCompileError || error instanceof CelProgramError) return { expression, program: error };
    throw error;
  }
}

function bindingsOf(
  call: HookCall,
  attributes: AdmissionAttributes,
  { version, authorizer }: { readonly version: WrittenVersion; readonly authorizer: Authorizer },
): Bindings {
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
