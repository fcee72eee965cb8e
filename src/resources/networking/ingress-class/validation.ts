import {
  childPath,
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
} from '../../../api/errors/field-error.ts';
import { dnsLabelErrors } from '../../../api/meta/names.ts';
import type * as networking from '../../../schema/kubernetes/generated/types/networking-v1.ts';
import { domainPrefixedPath } from '../../../api/validation/domain-path.ts';
import {
  dnsSubdomain,
  type Errors,
  formErrors,
  immutableMessage,
  isEmpty,
  oneOf,
  required,
} from '../../parts/rules/rules.ts';
import { segment } from '../ingress/validation.ts';

export function* ingressClass({ spec = {} }: networking.IngressClass): Errors {
  const { controller = '', parameters } = spec;
  if (Buffer.byteLength(controller) > 250) yield tooLongField('spec.controller', 250);
  yield* domainPrefixedPath(controller, 'spec.controller');
  if (parameters === undefined) return;
  const path = 'spec.parameters';
  const { apiGroup, kind, name, scope, namespace } = parameters;
  if (apiGroup !== undefined) yield* dnsSubdomain(apiGroup, childPath(path, 'apiGroup'));
  for (const [field, value] of Object.entries({ kind, name })) {
    if (!isEmpty(value)) yield* segment(value, childPath(path, field));
  }
  const namespacePath = childPath(path, 'namespace');
  if (scope === undefined) yield requiredField(childPath(path, 'scope'));
  else yield* oneOf(['Cluster', 'Namespace'])(scope, childPath(path, 'scope'));
  if (scope === 'Namespace') {
    if (namespace === undefined) yield requiredField(namespacePath, "`parameters.scope` is set to 'Namespace'");
    else yield* formErrors(namespacePath, namespace, dnsLabelErrors(namespace));
  }
  if (scope === 'Cluster' && namespace !== undefined) {
    yield forbiddenField(namespacePath, "`parameters.scope` is set to 'Cluster'");
  }
  // Declarative validation comes last.
  yield* required()(kind, childPath(path, 'kind'));
  yield* required()(name, childPath(path, 'name'));
}

export function* ingressClassUpdate(object: networking.IngressClass, old: networking.IngressClass): Errors {
  const [now, before] = [object.spec?.controller ?? '', old.spec?.controller ?? ''];
  if (now !== before) yield invalidField('spec.controller', now, immutableMessage);
  yield* ingressClass(object);
}
