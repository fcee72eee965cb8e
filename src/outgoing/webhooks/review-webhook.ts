import type { EgressWay } from '../../api/egress.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import type { JsonSource } from '../../api/json-tree.ts';
import type { PartContext } from '../../api/part.ts';
import { inTurns } from '../../api/turns.ts';
import { encodeAnySoon } from '../../api/write-json.ts';
import { BodyLimitError } from '../../codec/body-limits.ts';
import { readJson } from '../../codec/json.ts';
import { CallError } from '../call-error.ts';
import { webhookCertificates } from '../certificate-counts.ts';
import { openKubeconfigServer } from '../kubeconfig/kubeconfig-server.ts';
import { joinedPath } from '../joined-path.ts';
import { refusalOf } from '../refused-call.ts';
import { withRequestedRetries } from '../retries.ts';

const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 16 * 1024 * 1024;

export interface ReviewWebhookOptions {
  /** Of a kubeconfig. */
  readonly path: string;
  /** Below the URL of its server; absent: that URL is the webhook's. */
  readonly apiPath?: string | undefined;
  readonly context: Pick<PartContext, 'readFile' | 'clock' | 'onStop' | 'measure'>;
  readonly timeoutMs?: number;
  readonly egress?: EgressWay;
}

/** An object in JSON. */
export interface WebhookAnswer extends JsonSource {
  readonly value: JsonObject;
}

/** Sends objects to an external server, such as token and access reviews, and returns its response. */
export interface ReviewWebhook {
  /** Calls once. Throws a CallError without a response, and a StatusError for an unsuccessful one. */
  post(review: JsonObject): Promise<WebhookAnswer>;
  /** The same with JSON, for any response body. */
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
  const certificates = webhookCertificates(context.measure);
  const send = async (body: string | Uint8Array): Promise<Buffer> => {
    const call = { method: 'POST', url, body, timeoutMs, maxAnswerBytes } as const;
    const answer = await withRequestedRetries(call, (each) => server.call(each)).catch((error: unknown) => {
      certificates.failed(error);
      throw error;
    });
    const refusal = await refusalOf(answer);
    if (refusal !== undefined) throw refusal;
    return answer.body;
  };
  return {
    send,
    post: async (review) => await objectOf(await send(await encodeAnySoon(review))),
  };
}

/** The path without a trailing slash, and only the timeout as query. */
function addressOf(server: URL, apiPath: string, timeoutMs: number): URL {
  const url = new URL(server);
  url.pathname = joinedPath(url.pathname, apiPath);
  url.search = `?timeout=${timeoutMs / 1_000}s`;
  return url;
}

async function objectOf(body: Buffer): Promise<WebhookAnswer> {
  try {
    const source = await inTurns(readJson(body));
    const { value } = source;
    if (isJsonObject(value)) return { ...source, value };
  } catch (error) {
    throw error instanceof BodyLimitError ? new CallError(error.message, { cause: error }) : error;
  }
  throw new CallError('the response is not an object');
}
