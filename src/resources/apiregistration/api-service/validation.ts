import { childPath, invalidField, requiredField } from '../../../api/errors/field-error.ts';
import { dns1035LabelErrors, dnsSubdomainErrors } from '../../../api/meta/names.ts';
import type * as registration from '../../../schema/kubernetes/generated/types/apiregistration-v1.ts';
import { each, enumOrEmpty, type Errors, formErrors, isEmpty } from '../../parts/rules/rules.ts';
import { servicePort } from '../../parts/webhook-clients.ts';

export function* apiService({ spec = {} }: registration.APIService): Errors {
  const { group = '', version = '', groupPriorityMinimum: minimum = 0, versionPriority: priority = 0 } = spec;
  if (group === '' && version !== 'v1') {
    yield requiredField('spec.group', 'only v1 may have an empty group and it better be legacy kube');
  }
  if (group !== '') yield* formErrors('spec.group', group, dnsSubdomainErrors(group));
  yield* formErrors('spec.version', version, dns1035LabelErrors(version));
  if (minimum <= 0 || minimum > 20000) {
    yield invalidField('spec.groupPriorityMinimum', minimum, 'must be positive and less than 20000');
  }
  if (priority <= 0 || priority > 1000) {
    yield invalidField('spec.versionPriority', priority, 'must be positive and less than 1000');
  }
  yield* spec.service === undefined ? localService(spec) : remoteService(spec, spec.service);
}

function* localService({
  caBundle = '',
  insecureSkipTLSVerify: insecure = false,
}: registration.APIServiceSpec): Errors {
  if (caBundle !== '') {
    const size = Buffer.byteLength(caBundle, 'base64');
    yield invalidField('spec.caBundle', `${size} bytes`, 'local APIServices may not have a caBundle');
  }
  if (insecure) {
    const detail = 'local APIServices may not have insecureSkipTLSVerify';
    yield invalidField('spec.insecureSkipTLSVerify', insecure, detail);
  }
}

function* remoteService(spec: registration.APIServiceSpec, service: registration.ServiceReference): Errors {
  if (isEmpty(service.namespace)) yield requiredField('spec.service.namespace');
  if (isEmpty(service.name)) yield requiredField('spec.service.name');
  yield* servicePort(service.port ?? 0, 'spec.service.port');
  if (spec.insecureSkipTLSVerify === true && !isEmpty(spec.caBundle)) {
    yield invalidField('spec.insecureSkipTLSVerify', true, 'may not be true if caBundle is present');
  }
}

export function* apiServiceStatus({ status = {} }: registration.APIService): Errors {
  yield* each<registration.APIServiceCondition>((condition, path) =>
    enumOrEmpty(['True', 'False', 'Unknown'])(condition.status, childPath(path, 'status')),
  )(status.conditions, 'status.conditions');
}
