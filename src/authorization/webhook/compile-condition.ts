import type { Environment } from '../../cel/environments/environment.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import type { StructDeclaration } from '../../cel/environments/type-registry.ts';
import { CelProgramError } from '../../cel/program/frame.ts';
import { CelCompileError } from '../../cel/source.ts';
import { type CelType, listType, mapType, structType, types, typeText } from '../../cel/types/cel-type.ts';
import type { MatchCondition } from './match-conditions.ts';

const { bool, string } = types;
const texts = listType(string);

function struct(name: string, fields: { readonly [name: string]: CelType }): StructDeclaration {
  return { name: `kubernetes.${name}`, fields: new Map(Object.entries(fields)) };
}

const typeOf = (name: string): CelType => structType(`kubernetes.${name}`);
const selector = { rawSelector: string, requirements: listType(typeOf('SelectorRequirement')) };

/** The variables of match conditions. */
const structs: readonly StructDeclaration[] = [
  struct('SubjectAccessReviewSpec', {
    resourceAttributes: typeOf('ResourceAttributes'),
    nonResourceAttributes: typeOf('NonResourceAttributes'),
    user: string,
    groups: texts,
    extra: mapType(string, texts),
    uid: string,
  }),
  struct('ResourceAttributes', {
    ...{ namespace: string, verb: string, group: string, version: string },
    ...{ resource: string, subresource: string, name: string },
    fieldSelector: typeOf('FieldSelectorAttributes'),
    labelSelector: typeOf('LabelSelectorAttributes'),
  }),
  struct('NonResourceAttributes', { path: string, verb: string }),
  struct('FieldSelectorAttributes', selector),
  struct('LabelSelectorAttributes', selector),
  struct('SelectorRequirement', { key: string, operator: string, values: texts }),
];

/** A condition that does not compile; the message says why. */
export class MatchConditionError extends Error {
  override readonly name = 'MatchConditionError';
  readonly code = 'MATCH_CONDITION';
}

let environment: Environment | undefined;

/** Loads the CEL environment; to be awaited before compilation. */
export async function prepareConditions(): Promise<void> {
  await prepareExpressions();
}

/** Throws a MatchConditionError. */
export function compileCondition(expression: string): MatchCondition {
  environment ??= storedExpressionEnvironment().with([['request', typeOf('SubjectAccessReviewSpec')]], structs);
  try {
    const checked = environment.check(expression);
    if (checked.type !== bool) throw new MatchConditionError(`must evaluate to bool but got ${typeText(checked.type)}`);
    return { expression, program: checked.program() };
  } catch (error) {
    if (error instanceof CelCompileError) throw new MatchConditionError(`compilation failed: ${error.message}`);
    if (error instanceof CelProgramError)
      throw new MatchConditionError(`program instantiation failed: ${error.message}`);
    throw error;
  }
}
