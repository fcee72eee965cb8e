import { childPath, invalidField, keyPath, requiredField } from '../../api/errors/field-error.ts';
import { dnsSubdomainErrors, pathSegmentErrors } from '../../api/meta/names.ts';
import type * as rbac from '../../schema/kubernetes/generated/types/rbac-v1.ts';
import type { KindChecks } from '../kind-checks.ts';
import { internalValue } from '../parts/rules/internal-value.ts';
import {
  each,
  enumOrEmpty,
  type Errors,
  formErrors,
  immutableMessage,
  isEmpty,
  required,
} from '../parts/rules/rules.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import { labelSelector, selectorRequirements } from '../parts/selectors/label-selectors.ts';

// Roles and bindings. Declarative validation (verbs, names) is reported last.

const group = 'rbac.authorization.k8s.io';

function policyRule(namespaced: boolean) {
  return function* (rule: rbac.PolicyRule, path: string): Errors {
    const { nonResourceURLs = [], apiGroups, resources, resourceNames } = rule;
    const urlsPath = childPath(path, 'nonResourceURLs');
    if (nonResourceURLs.length > 0) {
      if (namespaced)
        yield invalidField(urlsPath, nonResourceURLs, 'namespaced rules cannot apply to non-resource URLs');
      if (!isEmpty(apiGroups) || !isEmpty(resources) || !isEmpty(resourceNames)) {
        const detail = 'rules cannot apply to both regular resources and non-resource URLs';
        yield invalidField(urlsPath, nonResourceURLs, detail);
      }
      return;
    }
    yield* required('resource rules must supply at least one api group')(apiGroups, childPath(path, 'apiGroups'));
    yield* required('resource rules must supply at least one resource')(resources, childPath(path, 'resources'));
  };
}

const verbs = each<rbac.PolicyRule>((rule, path) => required()(rule.verbs, childPath(path, 'verbs')));

export function* role({ rules }: rbac.Role): Errors {
  yield* each(policyRule(true))(rules, 'rules');
  yield* verbs(rules, 'rules');
}

export function* clusterRole({ rules, aggregationRule }: rbac.ClusterRole): Errors {
  yield* each(policyRule(false))(rules, 'rules');
  const path = 'aggregationRule.clusterRoleSelectors';
  const selectors = aggregationRule?.clusterRoleSelectors ?? [];
  if (aggregationRule && selectors.length === 0) {
    yield requiredField(path, 'at least one clusterRoleSelector required if aggregationRule is non-nil');
  }
  for (const [index, selector] of selectors.entries()) {
    yield* labelSelector(selector, keyPath(path, index));
    if (selectorRequirements(selector) === undefined)
      yield invalidField(keyPath(path, index), null, 'invalid label selector.');
  }
  yield* verbs(rules, 'rules');
}

/** Validates a binding. Updates require the name of the role in its place, creates after everything else. */
export function roleBinding(namespaced: boolean): BindingCheck {
  return function* ({ roleRef = {}, subjects = [] }, { isUpdate }) {
    yield* enumOrEmpty([group])(roleRef.apiGroup, 'roleRef.apiGroup');
    yield* enumOrEmpty(namespaced ? ['Role', 'ClusterRole'] : ['ClusterRole'])(roleRef.kind, 'roleRef.kind');
    const { name = '' } = roleRef;
    if (isUpdate) yield* required()(name, 'roleRef.name');
    yield* formErrors('roleRef.name', name, pathSegmentErrors(name));
    for (const [index, item] of subjects.entries()) {
      yield* subject(item, keyPath('subjects', index), namespaced);
    }
  };
}

type BindingCheck = (binding: rbac.RoleBinding, write: { readonly isUpdate: boolean }) => Errors;

const subjectNames = each<rbac.Subject>((item, path) => required()(item.name, childPath(path, 'name')));

function* subject(
  { kind = '', name = '', apiGroup = '', namespace = '' }: rbac.Subject,
  path: string,
  namespaced: boolean,
): Errors {
  const groupPath = childPath(path, 'apiGroup');
  if (kind === 'ServiceAccount') {
    if (name !== '') yield* formErrors(childPath(path, 'name'), name, dnsSubdomainErrors(name));
    yield* enumOrEmpty([''])(apiGroup, groupPath);
    if (!namespaced && namespace === '') yield requiredField(childPath(path, 'namespace'));
  } else if (kind === 'User' || kind === 'Group') yield* enumOrEmpty([group])(apiGroup, groupPath);
  else yield* enumOrEmpty(['ServiceAccount', 'User', 'Group'])(kind, childPath(path, 'kind'));
}

function* roleRefUpdate(object: rbac.RoleBinding, old: rbac.RoleBinding): Errors {
  if (sameValue(object.roleRef, old.roleRef)) return;
  yield invalidField('roleRef', internalValue('rbac.RoleRef', object.roleRef), immutableMessage);
}

/** The checks of bindings; `check` applies to creates and updates. */
export function bindingChecks(check: BindingCheck): KindChecks<rbac.RoleBinding> {
  return {
    create: function* (object) {
      yield* check(object, { isUpdate: false });
      yield* subjectNames(object.subjects, 'subjects');
      yield* required()(object.roleRef?.name, 'roleRef.name');
    },
    update: function* (object, old) {
      yield* check(object, { isUpdate: true });
      yield* roleRefUpdate(object, old);
      yield* subjectNames(object.subjects, 'subjects');
    },
  };
}
