import { formatGroupVersionKind, parseApiVersion } from '../../api/meta/group-version.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import { admissionEnvironment } from '../../cel/environments/admission.ts';
import type { Environment } from '../../cel/environments/environment.ts';
import { storedExpressionEnvironment } from '../../cel/environments/kubernetes.ts';
import { variableType, withVariables } from '../../cel/environments/variables.ts';
import { typeOfKind } from '../../cel/schemas/from-schema.ts';
import type { NamedType } from '../../cel/schemas/declared-type.ts';
import { CelCompileError } from '../../cel/source.ts';
import { type CelType, types } from '../../cel/types/cel-type.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { ServedKind } from '../../operations/resource-scope.ts';
import type { ServedKinds } from '../served-kinds.ts';

const maxTypes = 10;

type Spec = admission.ValidatingAdmissionPolicySpec;

/** Expressions of a policy that do not type-check for its kinds; `prepareExpressions` must have been awaited. */
export function typeWarnings(spec: Spec, served: ServedKinds): readonly admission.ExpressionWarning[] {
  const kinds = kindsOf(spec, served);
  const params = paramsType(spec, served);
  const warnings: admission.ExpressionWarning[] = [];
  for (const [index, { expression = '', messageExpression = '' }] of (spec.validations ?? []).entries()) {
    for (const [field, text] of Object.entries({ expression, messageExpression })) {
      if (field === 'messageExpression' && text === '') continue;
      const lines: string[] = [];
      for (const kind of kinds) {
        const issues = issuesOf(text, spec, { kind, params });
        if (issues !== undefined) lines.push(`${formatGroupVersionKind(kind)}: ${issues}\n`);
      }
      const fieldRef = `spec.validations[${index}].${field}`;
      if (lines.length > 0) warnings.push({ fieldRef, warning: lines.join('\n') });
    }
  }
  return warnings;
}

interface Typing {
  readonly kind: ServedKind;
  /** Undefined: the policy has no parameters. */
  readonly params: NamedType | undefined;
}

/** The problem of an expression with one kind. */
function issuesOf(text: string, { variables = [] }: Spec, { kind, params }: Typing): string | undefined {
  const base = environmentFor(typeOfKind(kind.schema, kind.kind), params);
  const fields = new Map<string, CelType>();
  for (const { name = '', expression = '' } of variables) {
    const type = checkedType(withVariables(base, fields), expression);
    fields.set(name, typeof type === 'string' ? types.dyn : variableType(type));
  }
  const result = checkedType(withVariables(base, fields), text);
  return typeof result === 'string' ? result : undefined;
}

/** The type of an expression, or its issues. */
function checkedType(environment: Environment, text: string): CelType | string {
  try {
    return environment.check(text).type;
  } catch (error) {
    if (error instanceof CelCompileError) return error.message;
    throw error;
  }
}

function environmentFor(object: NamedType, params: NamedType | undefined): Environment {
  const base = admissionEnvironment(storedExpressionEnvironment(), { params: params !== undefined });
  const variables: (readonly [string, CelType])[] = [
    ['object', object.type],
    ['oldObject', object.type],
  ];
  if (params !== undefined) variables.push(['params', params.type]);
  return base.with(variables, [...object.structs, ...(params?.structs ?? [])]);
}

function paramsType({ paramKind }: Spec, served: ServedKinds): NamedType | undefined {
  if (paramKind === undefined) return undefined;
  const { apiVersion = '', kind = '' } = paramKind;
  const version = parseApiVersion(apiVersion);
  const found = version === undefined ? undefined : served.ofKind({ ...version, kind });
  return found === undefined ? { type: types.dyn, structs: [] } : typeOfKind(found.schema, `${found.kind}Params`);
}

/** The kinds that the rules name, sorted; rules with wildcards name none, and subresources are left out. */
function kindsOf({ matchConstraints }: Spec, served: ServedKinds): readonly ServedKind[] {
  const kinds = new Map<string, ServedKind>();
  for (const rule of matchConstraints?.resourceRules ?? []) {
    const found = kindsOfRule(rule, served);
    for (const kind of found.slice(0, maxTypes)) kinds.set(formatGroupVersionKind(kind), kind);
    if (found.length >= maxTypes) break;
  }
  return [...kinds.values()].toSorted(
    (a, b) =>
      compareBytewise(a.group, b.group) || compareBytewise(a.version, b.version) || compareBytewise(a.kind, b.kind),
  );
}

function kindsOfRule(
  { apiGroups = [], apiVersions = [], resources = [] }: admission.NamedRuleWithOperations,
  served: ServedKinds,
): readonly ServedKind[] {
  if ([...apiGroups, ...apiVersions].some((each) => each.includes('*'))) return [];
  const whole = resources.filter((resource) => !/[*/]/.test(resource)).toSorted(compareBytewise);
  return apiGroups
    .toSorted(compareBytewise)
    .flatMap((group) =>
      apiVersions
        .toSorted(compareBytewise)
        .flatMap((version) => whole.flatMap((resource) => served.ofResource({ group, version, resource }))),
    );
}
