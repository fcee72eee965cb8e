import { resolve } from 'node:path';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import { ResponseCache } from '../../../api/contracts/response-cache.ts';
import { StatusError } from '../../../api/errors/status.ts';
import { encodeAny } from '../../../api/json/json-text.ts';
import { CallError } from '../../../outgoing/call-error.ts';
import { KubeconfigError } from '../../../outgoing/kubeconfig/kubeconfig.ts';
import { reviewBackoff, withRetries } from '../../../outgoing/retries.ts';
import type { ReviewForm } from '../../../outgoing/webhooks/read-review.ts';
import { openReviewWebhook, type ReviewWebhook } from '../../../outgoing/webhooks/review-webhook.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { PluginConfigurationError } from '../../configuration/plugin-document.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { refusal } from '../../refusal.ts';
import type { ImagePolicyConfig } from './image-policy-config.ts';

/** What was said about images. */
interface Verdict {
  readonly allowed: boolean;
  readonly reason: string;
}

const mostVerdicts = 1024;
const name = 'ImagePolicyWebhook';
const failedOpenAnnotation = 'alpha.image-policy.k8s.io/failed-open';

/** A server outside says which images may be used. */
export async function imagePolicyWebhook(
  context: Pick<PluginContext, 'readFile' | 'clock' | 'onStop' | 'metric'>,
  config: ImagePolicyConfig,
): Promise<AdmissionPlugin> {
  const webhook = await openWebhook(resolve(config.kubeConfigFile), context);
  const kept = new ResponseCache<Verdict>(mostVerdicts);
  const verdictOn = async (spec: JsonObject): Promise<Verdict> => {
    const key = encodeAny(spec);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const verdict = await ask(webhook, spec, config);
    kept.keep(key, verdict, verdict.allowed ? config.allowTtlMs : config.denyTtlMs);
    return verdict;
  };
  return {
    name,
    operations: new Set(['CREATE', 'UPDATE']),
    async validate(attributes) {
      const images = imagesOf(attributes);
      if (images === undefined) return;
      const pod = attributes.object as Pod; // decoded by the schema of pods
      try {
        const { allowed, reason } = await verdictOn(reviewSpec(pod, images, attributes.namespace));
        if (allowed) return;
        throw refusal(
          attributes,
          reason === ''
            ? 'one or more images rejected by webhook backend'
            : `image policy webhook backend denied one or more images: ${reason}`,
        );
      } catch (error) {
        if (!(error instanceof UnansweredError)) throw error;
        if (!config.defaultAllow) throw refusal(attributes, error.message);
        // As the reference does it, so that it can be seen that nobody has looked at the images.
        pod.metadata = {
          ...pod.metadata,
          annotations: { ...pod.metadata?.annotations, [failedOpenAnnotation]: 'true' },
        };
      }
    },
  };
}

/** Throws a PluginConfigurationError. */
async function openWebhook(
  path: string,
  context: Pick<PluginContext, 'readFile' | 'clock' | 'onStop' | 'metric'>,
): Promise<ReviewWebhook> {
  try {
    return await openReviewWebhook({ path, context });
  } catch (error) {
    if (error instanceof KubeconfigError) throw new PluginConfigurationError(name, error.message);
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    throw new PluginConfigurationError(name, `stat ${path}: no such file or directory`);
  }
}

/** There is no verdict; the message says why. */
class UnansweredError extends Error {
  readonly code = 'UNANSWERED';
}

const form: ReviewForm = {
  kind: { group: 'imagepolicy.k8s.io', version: 'v1alpha1', kind: 'ImageReview' },
  knownVersions: [],
  knowsBuiltIn: true,
};

async function ask(webhook: ReviewWebhook, spec: JsonObject, { retryBackoffMs }: ImagePolicyConfig): Promise<Verdict> {
  const review = {
    kind: 'ImageReview',
    apiVersion: 'imagepolicy.k8s.io/v1alpha1',
    metadata: {},
    spec,
    status: { allowed: false },
  };
  try {
    const backoff = { ...reviewBackoff, firstMs: retryBackoffMs };
    const object = await withRetries(() => webhook.post(review, form), backoff);
    const { allowed, reason } = isJsonObject(object['status']) ? object['status'] : {};
    return { allowed: allowed === true, reason: typeof reason === 'string' ? reason : '' };
  } catch (error) {
    const isResponse = error instanceof CallError || error instanceof StatusError;
    throw isResponse ? new UnansweredError(error.message, { cause: error }) : error;
  }
}

/** What is asked about; undefined: nothing. */
function imagesOf({ group, resource, subresource, object }: AdmissionAttributes): readonly string[] | undefined {
  if (group !== '' || resource !== 'pods' || object === undefined) return undefined;
  const { containers = [], initContainers = [], ephemeralContainers = [] } = (object as Pod).spec ?? {};
  if (subresource === '') return [...containers, ...initContainers].map(({ image = '' }) => image);
  return subresource === 'ephemeralcontainers' ? ephemeralContainers.map(({ image = '' }) => image) : undefined;
}

function reviewSpec({ metadata }: Pod, images: readonly string[], namespace: string): JsonObject {
  const annotations = Object.entries(metadata?.annotations ?? {}).filter(([name]) =>
    name.includes('.image-policy.k8s.io/'),
  );
  return {
    ...(images.length === 0 ? {} : { containers: images.map((image) => (image === '' ? {} : { image })) }),
    ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    ...(namespace === '' ? {} : { namespace }),
  };
}
