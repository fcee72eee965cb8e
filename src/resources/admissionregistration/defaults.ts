import type { JsonValue } from '../../api/json/json.ts';
import type { Defaulters } from '../../schema/defaulters.ts';
import { fixed } from '../parts/defaults/fill.ts';
import { versions } from '../parts/defaults/fill.ts';

const group = 'io.k8s.api.admissionregistration';
const policyVersions = ['v1', 'v1beta1', 'v1alpha1'];

/** For the match criteria of policies and bindings. */
export const bindingDefaults: Defaulters = {
  ...versions(group, policyVersions, {
    MatchResources: fixed({ matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }),
    NamedRuleWithOperations: fixed({ scope: '*' }),
  }),
  // Later versions require it.
  [`${group}.v1alpha1.ParamRef`]: fixed({ parameterNotFoundAction: 'Deny' }),
};

export const policyDefaults: Defaulters = {
  ...bindingDefaults,
  ...versions(group, policyVersions, {
    MutatingAdmissionPolicySpec: fixed({ failurePolicy: 'Fail' }),
    ValidatingAdmissionPolicySpec: fixed({ failurePolicy: 'Fail' }),
  }),
};

const webhook: { readonly [field: string]: JsonValue } = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
};

export const webhookDefaults: Defaulters = versions(group, ['v1'], {
  MutatingWebhook: fixed({ ...webhook, reinvocationPolicy: 'Never' }),
  RuleWithOperations: fixed({ scope: '*' }),
  ServiceReference: fixed({ port: 443 }),
  ValidatingWebhook: fixed(webhook),
});
