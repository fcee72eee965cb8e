import { readFile as readFileNow } from 'node:fs/promises';
import { posix } from 'node:path';
import { isJsonObject, type JsonObject } from '../api/json.ts';
import { encodeAny } from '../api/json-text.ts';
import type { PartContext } from '../api/part.ts';
import { parseJson } from '../codec/json.ts';
import { CallError, HttpCaller } from './http-call.ts';
import { type KubeconfigUser, type Pem, readKubeconfig } from './kubeconfig.ts';
import { refusalOf } from './refused-call.ts';

const defaultTimeoutMs = 30_000;
const maxAnswerBytes = 16 * 1024 * 1024;
/** How long a token read from a file is cached. */
const tokenAgeMs = 60_000;

export interface ReviewWebhookOptions {
  /** Of a kubeconfig. */
  readonly path: string;
  readonly context: Pick<PartContext, 'readFile' | 'clock' | 'onStop'>;
  readonly timeoutMs?: number;
}

/** Sends objects to an external server, such as token and access reviews, and returns its response. */
export interface ReviewWebhook {
  /** Calls once. Throws a CallError without a response, and a StatusError for an unsuccessful one. */
  post(review: JsonObject): Promise<JsonObject>;
  /** The same with JSON, whatever the answer's body is. */
  send(json: string): Promise<Buffer>;
}

/**
 * Opens the webhook of a kubeconfig file. The file is read once; certificate files it names are reloaded when they
 * change. Throws a KubeconfigError.
 */
export async function openReviewWebhook({
  path,
  context,
  timeoutMs = defaultTimeoutMs,
}: ReviewWebhookOptions): Promise<ReviewWebhook> {
  const target = readKubeconfig(await context.readFile(path), path);
  const pems: { [part in PemPart]?: string } = {};
  let caller: HttpCaller | undefined;
  const read = async (part: PemPart): Promise<void> => {
    const pem = target[part];
    if (pem === undefined) return;
    pems[part] = await textOf(pem, context, (text) => {
      pems[part] = text;
      caller?.close();
      caller = undefined;
    });
  };
  await Promise.all((['authority', 'certificate', 'key'] as const).map(read));
  context.onStop(() => caller?.close());
  const authorization = authorizationOf(target, context);
  const url = addressOf(target.url, timeoutMs);
  const send = async (body: string): Promise<Buffer> => {
    caller ??= new HttpCaller({
      ...(pems.authority === undefined ? {} : { ca: pems.authority }),
      ...(pems.certificate === undefined || pems.key === undefined ? {} : { cert: pems.certificate, key: pems.key }),
      ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
      rejectUnauthorized: !target.skipVerification,
    });
    const shown = await authorization();
    const answer = await caller.call({
      ...{ method: 'POST', url, body },
      ...{ timeoutMs, maxAnswerBytes },
      headers: {
        ...{ accept: 'application/json, */*', 'content-type': 'application/json' },
        ...(shown === undefined ? {} : { authorization: shown }),
      },
    });
    const refusal = refusalOf(answer);
    if (refusal !== undefined) throw refusal;
    return answer.body;
  };
  return { send, post: async (review) => objectOf(await send(encodeAny(review))) };
}

/** The path without a trailing slash, and only the timeout as query. */
function addressOf(server: URL, timeoutMs: number): URL {
  const url = new URL(server);
  url.pathname = posix.join('/', url.pathname).replace(/(?<=.)\/$/, '');
  url.search = `?timeout=${timeoutMs / 1_000}s`;
  return url;
}

type PemPart = 'authority' | 'certificate' | 'key';

async function textOf(
  pem: Pem,
  { readFile }: Pick<PartContext, 'readFile'>,
  changed: (text: string) => void,
): Promise<string> {
  return 'text' in pem ? pem.text : await readFile(pem.path, changed);
}

/** The `authorization` header of a user; undefined without. */
export function authorizationOf(
  { token, tokenFile, basic }: Pick<KubeconfigUser, 'token' | 'tokenFile' | 'basic'>,
  { clock }: Pick<PartContext, 'clock'>,
): () => Promise<string | undefined> {
  if (tokenFile === undefined) {
    const { username, password } = basic ?? { username: '', password: '' };
    const encoded = Buffer.from(`${username}:${password}`).toString('base64');
    const fixed = token !== undefined ? `Bearer ${token}` : basic === undefined ? undefined : `Basic ${encoded}`;
    return () => Promise.resolve(fixed);
  }
  let read: { readonly text: string; readonly atMs: number } | undefined;
  return async () => {
    const now = clock.now();
    if (read === undefined || now - read.atMs > tokenAgeMs) {
      read = { text: (await readFileNow(tokenFile, 'utf8')).trim(), atMs: now };
    }
    return `Bearer ${read.text}`;
  };
}

function objectOf(body: Buffer): JsonObject {
  const { value } = parseJson(body);
  if (!isJsonObject(value)) throw new CallError('the response is not an object');
  return value;
}
