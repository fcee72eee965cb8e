import type { EgressWay } from '../../api/contracts/egress.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { encodeAny } from '../../api/json/json-text.ts';
import { CallError } from '../call-error.ts';
import { webhookCertificates } from '../certificate-counts.ts';
import type { CallResponse } from '../http-call.ts';
import { openKubeconfigServer } from '../kubeconfig/kubeconfig-server.ts';
import { joinedPath } from '../joined-path.ts';
import { refusalOf } from '../refused-call.ts';
import { withRequestedRetries } from '../retries.ts';
import { readReview, type ReviewForm } from './read-review.ts';

const defaultTimeoutMs = 30_000;
const maxResponseBytes = 16 * 1024 * 1024;

export interface ReviewWebhookOptions {
  /** The path of a kubeconfig. */
  readonly path: string;
  /** Below the URL of its server; absent: that URL is the webhook's. */
  readonly apiPath?: string | undefined;
  readonly context: Pick<PartContext, 'readFile' | 'clock' | 'onStop' | 'metric' | 'log'>;
  readonly timeoutMs?: number;
  readonly egress?: EgressWay;
}

/** Sends objects to an external server, such as token and access reviews, and returns its response. */
export interface ReviewWebhook {
  /**
   * Calls once. Throws a CallError without a response that is such a review, and a StatusError for an unsuccessful one.
   */
  post(review: JsonObject, form: ReviewForm): Promise<JsonObject>;
  /** Sends JSON once, and returns the body of the response, whatever it is. Throws as `post` does. */
  send(json: string | Uint8Array): Promise<Buffer>;
}

/** Opens the webhook of a kubeconfig file. Throws a KubeconfigError. */
export async function openReviewWebhook({
  path,
  apiPath = '',
  context,
  timeoutMs = defaultTimeoutMs,
  egress,
}: ReviewWebhookOptions): Promise<ReviewWebhook> {
  const server = await openKubeconfigServer(path, context, egress);
  const url = addressOf(server.url, apiPath, timeoutMs);
  const certificates = webhookCertificates(context.metric);
  const answerTo = async (body: string | Uint8Array): Promise<CallResponse> => {
    const call = { method: 'POST', url, body, timeoutMs, maxResponseBytes } as const;
    const response = await withRequestedRetries(call, (each) => server.call(each)).catch((error: unknown) => {
      certificates.failed(error);
      throw error;
    });
    const refusal = refusalOf(response);
    if (refusal !== undefined) throw refusal;
    return response;
  };
  return {
    send: async (body) => (await answerTo(body)).body,
    post: async (review, form) => await readReview(contentOf(await answerTo(Buffer.from(encodeAny(review)))), form),
  };
}

/** The path without a trailing slash, and only the timeout as query. */
function addressOf(server: URL, apiPath: string, timeoutMs: number): URL {
  const url = new URL(server);
  url.pathname = joinedPath(url.pathname, apiPath);
  url.search = `?timeout=${timeoutMs / 1_000}s`;
  return url;
}

/** The body of an answer that must have one. Throws a CallError. */
export function contentOf({ body, status, header }: CallResponse): Buffer {
  if (body.length > 0) return body;
  const type = header('content-type') ?? 'application/json';
  throw new CallError(`0-length response with status code: ${status} and content type: ${type}`);
}
