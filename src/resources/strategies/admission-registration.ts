import type { KubernetesObject } from '../../api/object.ts';
import type { Strategy } from '../../registry/strategy.ts';
import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import { staticSuffix, staticSuffixDetail } from '../validation/static-suffix.ts';
import { keepClientMetadata } from './kept-metadata.ts';
import { strategyOf } from './strategy-row.ts';

const policy: Strategy = {
  generation: 'spec',
  requireResourceVersion: true,
  updateWarnings: (object) => staticNameWarnings(object),
};

type WebhookConfiguration = admission.MutatingWebhookConfiguration | admission.ValidatingWebhookConfiguration;

const webhookConfiguration = strategyOf<WebhookConfiguration>({
  generation: 'spec',
  requireResourceVersion: true,
  warnings: ruleWarnings,
  updateWarnings: (object) => [...staticNameWarnings(object), ...ruleWarnings(object)],
});

/** Strategies of admissionregistration.k8s.io, by `group/Kind`. */
export const admissionRegistrationStrategies: { readonly [kind: string]: Strategy } = {
  'admissionregistration.k8s.io/MutatingAdmissionPolicy': policy,
  'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding': policy,
  'admissionregistration.k8s.io/MutatingWebhookConfiguration': webhookConfiguration,
  'admissionregistration.k8s.io/ValidatingAdmissionPolicy': {
    ...policy,
    subresources: { status: { prepareForUpdate: keepClientMetadata } },
  },
  'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding': policy,
  'admissionregistration.k8s.io/ValidatingWebhookConfiguration': webhookConfiguration,
};

function staticNameWarnings({ metadata }: KubernetesObject): string[] {
  return metadata.name?.endsWith(staticSuffix) === true ? [`metadata.name: ${staticSuffixDetail}`] : [];
}

/** Reviews that no webhook is asked about. */
const excluded: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Rules that name what no webhook is asked about; a wildcard may mean something else. */
function ruleWarnings({ webhooks = [] }: WebhookConfiguration): string[] {
  return webhooks.flatMap(({ rules = [] }, hook) =>
    rules.flatMap(({ apiGroups = [], resources = [] }, rule) => {
      if (apiGroups.includes('*') || resources.includes('*')) return [];
      const named = apiGroups.flatMap((group) => resources.map((resource) => `${resource}.${group}`));
      return [...new Set(named)]
        .filter((name) => excluded.has(name))
        .map(
          (name) =>
            `webhooks[${hook}].rules[${rule}]: ${name} is excluded from admission webhooks; this rule will have no effect`,
        );
    }),
  );
}
