import type * as admission from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { ObjectMeta } from '../../schema/kubernetes/generated/types/meta-v1.ts';
import type { KindWarnings } from '../kind-warnings.ts';
import { perItem, type Warnings } from '../parts/warnings/per-item.ts';
import { staticSuffix, staticSuffixDetail } from './static-names.ts';

export type WebhookConfiguration = admission.MutatingWebhookConfiguration | admission.ValidatingWebhookConfiguration;

/** Warns of names reserved for configuration from files; creates are refused. */
export function staticNameWarnings({ metadata }: { readonly metadata?: ObjectMeta }): string[] {
  return metadata?.name?.endsWith(staticSuffix) === true ? [`metadata.name: ${staticSuffixDetail}`] : [];
}

/** Resources that are never sent to webhooks. */
const excluded: ReadonlySet<string> = new Set([
  'selfsubjectreviews.authentication.k8s.io',
  'tokenreviews.authentication.k8s.io',
  'localsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectaccessreviews.authorization.k8s.io',
  'selfsubjectrulesreviews.authorization.k8s.io',
  'subjectaccessreviews.authorization.k8s.io',
]);

/** Warns of rules that name such resources; wildcards are ignored. */
function webhookRuleWarnings({ webhooks = [] }: WebhookConfiguration): Warnings {
  return perItem<admission.MutatingWebhook | admission.ValidatingWebhook>(webhooks, ({ rules }, hook) =>
    perItem(rules, ({ apiGroups = [], resources = [] }, rule) => {
      if (apiGroups.includes('*') || resources.includes('*')) return [];
      return excludedOf(apiGroups, resources).map(
        (name) =>
          `webhooks[${hook}].rules[${rule}]: ${name} is excluded from admission webhooks; this rule will have no effect`,
      );
    }),
  );
}

/** The excluded resources among all combinations `resource.group`, in order; a resource may contain dots too. */
function excludedOf(groups: readonly string[], resources: readonly string[]): readonly string[] {
  const ends = new Set(groups.filter((group) => [...excluded].some((name) => name.endsWith(`.${group}`))));
  const starts = new Set(resources.filter((resource) => [...excluded].some((name) => name.startsWith(`${resource}.`))));
  const named = [...ends].flatMap((group) => [...starts].map((resource) => `${resource}.${group}`));
  return [...new Set(named)].filter((name) => excluded.has(name));
}

export const webhookConfigurationWarnings: KindWarnings<WebhookConfiguration> = {
  create: (configuration) => webhookRuleWarnings(configuration),
  *update(configuration) {
    yield* staticNameWarnings(configuration);
    yield* webhookRuleWarnings(configuration);
  },
};
