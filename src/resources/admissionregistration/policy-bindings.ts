import {
  childPath,
  duplicateField,
  forbiddenField,
  invalidField,
  keyPath,
  requiredField,
} from '../../api/errors/field-error.ts';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../api/meta/names.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { repetitions } from '../parts/rules/repetitions.ts';
import { enumOrEmpty, type Errors, formErrors, isEmpty, oneOf } from '../parts/rules/rules.ts';
import { labelSelector } from '../parts/selectors/label-selectors.ts';
import { mutableOperations } from './policies.ts';
import { matchResources } from './rules.ts';

export function* validatingBinding({ spec = {} }: admission.ValidatingAdmissionPolicyBinding): Errors {
  const { policyName = '', validationActions = [] } = spec;
  yield* bindingErrors(spec);
  yield* actions(validationActions, 'spec.validationActions');
  // Declarative validation comes last.
  if (policyName === '') yield requiredField('spec.policyName');
  if (validationActions.length === 0) yield requiredField('spec.validationActions');
}

export function* mutatingBinding({ spec = {} }: admission.MutatingAdmissionPolicyBinding): Errors {
  if (isEmpty(spec.policyName)) yield requiredField('spec.policyName');
  yield* bindingErrors(spec);
  yield* mutableOperations(spec.matchResources, 'spec.matchResources');
}

function* bindingErrors(spec: admission.MutatingAdmissionPolicyBindingSpec): Errors {
  const { policyName = '', paramRef: params, matchResources: resources } = spec;
  if (policyName !== '') yield* formErrors('spec.policyName', policyName, dnsSubdomainErrors(policyName));
  if (params !== undefined) yield* paramRef(params, 'spec.paramRef');
  if (resources !== undefined) yield* matchResources(resources, 'spec.matchResources');
}

function* paramRef({ name = '', selector, parameterNotFoundAction: action }: admission.ParamRef, path: string): Errors {
  const exclusive = 'name and selector are mutually exclusive';
  const namePath = childPath(path, 'name');
  if (name !== '') {
    yield* formErrors(namePath, name, pathSegmentErrors(name));
    if (selector !== undefined) yield forbiddenField(namePath, exclusive);
  }
  if (selector !== undefined) {
    yield* labelSelector(selector, childPath(path, 'selector'));
    if (name !== '') yield forbiddenField(childPath(path, 'selector'), exclusive);
  }
  if (name === '' && selector === undefined) yield requiredField(path, 'one of name or selector must be specified');
  const actionPath = childPath(path, 'parameterNotFoundAction');
  if (isEmpty(action)) yield requiredField(actionPath);
  else yield* enumOrEmpty(['Deny', 'Allow'])(action, actionPath);
}

function* actions(values: readonly string[], path: string): Errors {
  const isRepeated = repetitions();
  for (const [index, action] of values.entries()) {
    yield* oneOf(['Audit', 'Deny', 'Warn'])(action, keyPath(path, index));
    if (isRepeated(action)) yield duplicateField(keyPath(path, index), action);
  }
  if (!values.includes('Deny') || !values.includes('Warn')) return;
  const detail =
    'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
  yield invalidField(path, [...values], detail);
}
