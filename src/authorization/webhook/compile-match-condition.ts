import { compileCondition, type CompiledExpression } from '../../cel/compile-expression.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { prepareExpressions, storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import type { StructDeclaration } from '../../cel/environments/type-registry.ts';
import { type CelType, listType, mapType, structType, types } from '../../cel/types/cel-type.ts';

const { string } = types;
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
    namespace: string,
    verb: string,
    group: string,
    version: string,
    resource: string,
    subresource: string,
    name: string,
    fieldSelector: typeOf('FieldSelectorAttributes'),
    labelSelector: typeOf('LabelSelectorAttributes'),
  }),
  struct('NonResourceAttributes', { path: string, verb: string }),
  struct('FieldSelectorAttributes', selector),
  struct('LabelSelectorAttributes', selector),
  struct('SelectorRequirement', { key: string, operator: string, values: texts }),
];

let environment: Environment | undefined;

/** Loads the CEL environment; to be awaited before compilation. */
export async function prepareConditions(): Promise<void> {
  await prepareExpressions();
}

export function matchConditionEnvironment(): Environment {
  environment ??= storedExpressionEnvironment().with([['request', typeOf('SubjectAccessReviewSpec')]], structs);
  return environment;
}

/** Throws an ExpressionError. */
export function compileMatchCondition(expression: string): CompiledExpression {
  return compileCondition(matchConditionEnvironment(), expression);
}
