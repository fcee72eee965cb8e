import type { ServedVersion } from '../../api/contracts/admission.ts';
import { selectorOfObject } from '../../api/selectors/label-selector-object.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { WebhookClient, type WebhookServers } from '../../outgoing/webhooks/webhook-client.ts';
import type {
  MatchCondition,
  MutatingWebhook,
  ValidatingWebhook,
} from '../../schema/kubernetes/generated/types/admissionregistration-v1.ts';
import type { ResourceRules } from '../matching/resource-rules.ts';
import type { Selectors } from '../matching/selectors.ts';
import type { CompiledConditions } from './hook-conditions.ts';

const defaultTimeoutSeconds = 10;

/** One webhook of a configuration, compiled when the configuration changes. */
export interface Hook extends ResourceRules, Selectors {
  /**
   * Identifies it among all webhooks: `CONFIGURATION/NAME/N`, as names may occur several times in one configuration.
   */
  readonly uid: string;
  readonly name: string;
  readonly configuration: string;
  /** Undefined without conditions. */
  readonly conditions: Promise<CompiledConditions> | undefined;
  readonly failsOpen: boolean;
  readonly sideEffects: string | undefined;
  readonly reviewVersions: readonly string[];
  readonly timeoutMs: number;
  /** Wants to be called again when the object has changed since. Mutating webhooks only. */
  readonly reinvokes: boolean;
  readonly client: WebhookClient;
}

/** A webhook that matches a kind of request, and the version of the objects for it. */
export interface HookCall extends ServedVersion {
  readonly hook: Hook;
  /** The place of the webhook among all of its type. */
  readonly index: number;
}

type AnyWebhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

/** The webhooks of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration. */
export function hooksOf(configuration: KubernetesObject, servers: WebhookServers, uidPrefix = ''): readonly Hook[] {
  // Decoded by the schema of the kind.
  const { metadata, webhooks = [] } = configuration as KubernetesObject & { readonly webhooks?: readonly AnyWebhook[] };
  const counts = new Map<string, number>();
  return webhooks.map((webhook): Hook => {
    const { name = '' } = webhook;
    const count = counts.get(name) ?? 0;
    counts.set(name, count + 1);
    return {
      uid: `${uidPrefix}${metadata.name ?? ''}/${name}/${count}`,
      name,
      configuration: metadata.name ?? '',
      rules: webhook.rules ?? [],
      matchesEquivalent: webhook.matchPolicy === 'Equivalent',
      namespaceSelector: selectorOfObject(webhook.namespaceSelector as object) ?? [],
      objectSelector: selectorOfObject(webhook.objectSelector as object) ?? [],
      conditions: compiled(webhook.matchConditions),
      failsOpen: webhook.failurePolicy === 'Ignore',
      sideEffects: webhook.sideEffects,
      reviewVersions: webhook.admissionReviewVersions ?? [],
      timeoutMs: (webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1_000,
      reinvokes: webhook.reinvocationPolicy === 'IfNeeded',
      client: new WebhookClient(webhook.clientConfig ?? {}, servers),
    };
  });
}

/** CEL is loaded for the first webhook with conditions. */
function compiled(conditions: readonly MatchCondition[] = []): Hook['conditions'] {
  if (conditions.length === 0) return undefined;
  const compiling = import('./hook-conditions.ts').then((loaded) => loaded.compileConditions(conditions));
  // Failures are reported on evaluation.
  compiling.catch(() => undefined);
  return compiling;
}
