import {
  childPath,
  duplicateField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../api/errors/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '../../api/meta/names.ts';
import { whiteSpace, withoutEdges } from '../../api/text/text-edges.ts';
import { isReservedName } from '../../cel/values/escaped-names.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { internalValue } from '../parts/rules/internal-value.ts';
import { repetitions } from '../parts/rules/repetitions.ts';
import { each, type Errors, formErrors, isEmpty, oneOf, requiredAnd } from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import { statusConditions } from '../parts/rules/status-conditions.ts';
import { PolicyExpressions } from './policy-expressions.ts';
import { type ConditionErrors, matchConditions, matchResources, operations } from './rules.ts';

// CEL policies.

type ValidatingPolicy = admission.ValidatingAdmissionPolicy;

type MutatingPolicy = admission.MutatingAdmissionPolicy;

type PolicySpec = Pick<
  admission.ValidatingAdmissionPolicySpec,
  'failurePolicy' | 'paramKind' | 'matchConstraints' | 'matchConditions' | 'variables'
>;

/** Unchanged conditions are not validated again. */
function keepsConditions(spec: PolicySpec, old: PolicySpec): boolean {
  return sameValue(spec.paramKind, old.paramKind) && sameValue(spec.matchConditions, old.matchConditions);
}

export function* validatingPolicy(policy: ValidatingPolicy, old?: ValidatingPolicy): Errors {
  const { metadata, spec = {} } = policy;
  const expressions = new PolicyExpressions(policy, old);
  yield* matching(spec);
  yield* conditionsAndVariables(spec, old?.spec, expressions);
  const { validations = [], auditAnnotations = [] } = spec;
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    yield requiredField('spec.validations', detail);
    yield requiredField('spec.auditAnnotations', detail);
    return;
  }
  yield* each<admission.Validation>((item, path) => validation(item, path, expressions))(
    validations,
    'spec.validations',
  );
  yield* annotations(auditAnnotations, metadata?.name ?? '', expressions);
}

export function* mutatingPolicy(policy: MutatingPolicy, old?: MutatingPolicy): Errors {
  const { spec = {} } = policy;
  yield* matching(spec);
  yield* mutableOperations(spec.matchConstraints, 'spec.matchConstraints');
  const expressions = new PolicyExpressions(policy, old);
  yield* conditionsAndVariables(spec, old?.spec, expressions);
  const { mutations = [] } = spec;
  if (mutations.length === 0) yield requiredField('spec.mutations', 'mutations must contain at least one item');
  yield* each<admission.Mutation>((item, path) => mutation(item, path, expressions))(mutations, 'spec.mutations');
  yield* requiredAnd(oneOf(['IfNeeded', 'Never']))(spec.reinvocationPolicy, 'spec.reinvocationPolicy');
}

function* matching(spec: PolicySpec): Errors {
  const { failurePolicy, paramKind: params, matchConstraints } = spec;
  if (failurePolicy === undefined) yield requiredField('spec.failurePolicy');
  yield* oneOf(['Fail', 'Ignore'])(failurePolicy, 'spec.failurePolicy');
  if (params !== undefined) yield* paramKind(params, 'spec.paramKind');
  if (matchConstraints === undefined) return yield requiredField('spec.matchConstraints');
  yield* matchResources(matchConstraints, 'spec.matchConstraints');
  if (isEmpty(matchConstraints.resourceRules)) yield requiredField('spec.matchConstraints.resourceRules');
}

function* conditionsAndVariables(
  spec: PolicySpec,
  old: PolicySpec | undefined,
  expressions: PolicyExpressions,
): Errors {
  if (old === undefined || !keepsConditions(spec, old)) {
    const errorsOf: ConditionErrors = (expression, path) => expressions.condition(expression, path);
    yield* matchConditions(spec.matchConditions, 'spec.matchConditions', errorsOf);
  }
  yield* each<admission.Variable>((item, path) => variable(item, path, expressions))(spec.variables, 'spec.variables');
}

/** `apiVersion` and `kind` of parameters. */
function* paramKind({ apiVersion = '', kind = '' }: admission.ParamKind, path: string): Errors {
  yield* paramVersion(apiVersion, childPath(path, 'apiVersion'));
  const kindPath = childPath(path, 'kind');
  const texts = dns1035LabelErrors(kind.toLowerCase());
  if (kind === '') yield requiredField(kindPath);
  else if (texts.length > 0) {
    yield invalidField(kindPath, kind, `may have mixed case, but should otherwise match: ${texts.join(',')}`);
  }
}

function* paramVersion(apiVersion: string, path: string): Errors {
  if (apiVersion === '') return yield requiredField(path);
  const parts = apiVersion.split('/');
  if (parts.length > 2) return yield invalidField(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`);
  const [group = '', version = ''] = parts.length === 2 ? parts : ['', apiVersion];
  const groupTexts = group === '' ? [] : dnsSubdomainErrors(group);
  if (groupTexts.length > 0) yield invalidField(path, group, groupTexts.join(','));
  if (version === '') return yield invalidField(path, apiVersion, 'version must be specified');
  const versionTexts = dns1035LabelErrors(version);
  if (versionTexts.length > 0) yield invalidField(path, version, versionTexts.join(','));
}

function* variable(value: admission.Variable, path: string, expressions: PolicyExpressions): Errors {
  const { name = '', expression = '' } = value;
  const namePath = childPath(path, 'name');
  if (name.trim() === '') yield requiredField(namePath, 'name is not specified');
  else if (!/^[_a-zA-Z]\w*$/.test(name) || isReservedName(name)) {
    yield invalidField(namePath, name, 'must be a valid CEL identifier');
  }
  const expressionPath = childPath(path, 'expression');
  if (isBlank(expression)) yield requiredField(expressionPath, 'expression is not specified');
  else yield* expressions.variable(value, expressionPath);
}

function isBlank(text: string): boolean {
  return withoutEdges(text, whiteSpace) === '';
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

function* validation(value: admission.Validation, path: string, expressions: PolicyExpressions): Errors {
  const { expression = '', message = '', messageExpression = '', reason } = value;
  const expressionPath = childPath(path, 'expression');
  if (isBlank(expression)) yield requiredField(expressionPath, 'expression is not specified');
  else yield* expressions.validation(expression, expressionPath);
  const blank = 'must be non-empty if specified';
  const messagePath = childPath(path, 'messageExpression');
  if (!isBlank(messageExpression)) yield* expressions.message(messageExpression, messagePath);
  else if (messageExpression !== '') yield invalidField(messagePath, messageExpression, blank);
  if (message !== '' && message.trim() === '') yield invalidField(childPath(path, 'message'), message, blank);
  else if (/[\n\r]/.test(message.trim())) {
    yield invalidField(childPath(path, 'message'), message, 'must not contain line breaks');
  }
  yield* oneOf(reasons)(reason, childPath(path, 'reason'));
}

const maxAnnotations = 20;

const maxValueBytes = 5 * 1024;

function* annotations(
  list: readonly admission.AuditAnnotation[],
  policy: string,
  expressions: PolicyExpressions,
): Errors {
  const path = 'spec.auditAnnotations';
  if (list.length > maxAnnotations) {
    const value = internalValue('[]admissionregistration.AuditAnnotation', list);
    yield invalidField(path, value, `must not have more than ${maxAnnotations} auditAnnotations`);
  }
  const isRepeated = repetitions();
  for (const [index, { key = '', valueExpression = '' }] of list.entries()) {
    const itemPath = keyPath(path, index);
    const keyField = childPath(itemPath, 'key');
    const qualified = `${policy}/${key}`;
    if (policy === '') yield invalidField(keyField, key, 'requires metadata.name be non-empty');
    else yield* formErrors(keyField, qualified, qualifiedNameErrors(qualified));
    const expressionPath = childPath(itemPath, 'valueExpression');
    const expression = withoutEdges(valueExpression, whiteSpace);
    if (expression === '') yield requiredField(expressionPath, 'valueExpression is not specified');
    else if (Buffer.byteLength(expression) > maxValueBytes) {
      yield requiredField(expressionPath, `must not exceed ${maxValueBytes} bytes in length`);
    } else yield* expressions.annotation(expression, expressionPath, valueExpression);
    if (isRepeated(key)) yield duplicateField(keyField, key);
  }
}

/** The member that goes with each patch type. */
const patchMembers = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;

function isPatchType(text: string): text is keyof typeof patchMembers {
  return Object.hasOwn(patchMembers, text);
}

function* mutation(value: admission.Mutation, path: string, expressions: PolicyExpressions): Errors {
  const { patchType = '' } = value;
  if (patchType === '') return yield requiredField(childPath(path, 'patchType'));
  if (!isPatchType(patchType)) {
    return yield notSupportedField(childPath(path, 'patchType'), patchType, Object.keys(patchMembers));
  }
  const own = patchMembers[patchType];
  const patch = value[own];
  const { expression: written = '' } = patch ?? {};
  const trimmed = withoutEdges(written, whiteSpace);
  const expressionPath = childPath(path, `${own}.expression`);
  if (patch === undefined)
    yield requiredField(childPath(path, own), `must be specified when patchType is ${patchType}`);
  else if (trimmed === '') yield requiredField(expressionPath);
  else yield* expressions.mutation(trimmed, expressionPath, { patchType, written });
  for (const member of Object.values(patchMembers)) {
    if (member === own || value[member] === undefined) continue;
    const detail = `must not be specified when patchType is ${patchType}`;
    yield invalidField(childPath(path, member), `{${member}}`, detail);
  }
}

/** A DELETE cannot be mutated. */
export function* mutableOperations(resources: admission.MatchResources | undefined, path: string): Errors {
  const allowed = operations.filter((operation) => operation !== 'DELETE');
  const operation = oneOf(allowed);
  for (const { operations: requested } of resources?.resourceRules ?? []) {
    yield* each<string>((one) => operation(one, childPath(path, 'resourceRules.operations')))(requested, path);
  }
}

export function* validatingPolicyStatus({ status = {} }: ValidatingPolicy): Errors {
  for (const [index, warning] of (status.typeChecking?.expressionWarnings ?? []).entries()) {
    const path = keyPath('status.typeChecking.expressionWarnings', index);
    if (isEmpty(warning.warning)) yield requiredField(childPath(path, 'warning'));
    if ((warning.fieldRef ?? '').trim() === '') yield requiredField(childPath(path, 'fieldRef'));
  }
  yield* statusConditions(status.conditions, 'status.conditions');
}
