import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { readKubeconfig, type ServerAccess } from '../authentication/pki/kubeconfig.ts';
import { UsageError } from './errors.ts';

export interface ServerQuestion {
  readonly dataDir: string;
  /** Why a server is asked, for errors. */
  readonly because: string;
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
}

/**
 * The answer of the server that runs on a data directory, asked as its administrator. Throws a UsageError unless the
 * answer is a success.
 */
export async function askServer(question: ServerQuestion): Promise<ServerResponse> {
  const { dataDir, because } = question;
  const file = join(dataDir, 'admin.kubeconfig');
  const access = await readKubeconfig(file);
  if (access === undefined) throw new UsageError(`${because}, and ${file} does not contain the address of the server`);
  const response = await open(access, question);
  if (response.statusCode === 200) return { response, chunks: () => chunksOf(response, access) };
  const why = messageOf(await responseText(response));
  throw new UsageError(`the server at ${access.serverUrl} answered ${response.statusCode}: ${why}`);
}

const knockMs = 3_000;

/**
 * The address of the server that runs on a data directory; undefined if none does. Who answers there with another
 * authority is another server.
 */
export async function addressOfServer(dataDir: string): Promise<string | undefined> {
  const access = await readKubeconfig(join(dataDir, 'admin.kubeconfig'));
  if (access === undefined) return undefined;
  const because = 'it is asked whether it runs';
  try {
    const requested = open(access, { dataDir, because, method: 'GET', path: '/version' }, AbortSignal.timeout(knockMs));
    (await requested).resume();
    return access.serverUrl;
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

export interface ServerResponse {
  readonly response: IncomingMessage;
  readonly chunks: () => AsyncGenerator<Uint8Array>;
}

async function* chunksOf(response: IncomingMessage, { serverUrl }: ServerAccess): AsyncGenerator<Uint8Array> {
  try {
    yield* response as AsyncIterable<Uint8Array>; // without an encoding, chunks are bytes
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(`the connection to ${serverUrl} was interrupted: ${why}`, { cause: error });
  }
}

function open(
  { serverUrl, authority, tlsServerName, user }: ServerAccess,
  { method, path, because }: ServerQuestion,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const requested = request(new URL(path, serverUrl), {
    method,
    ca: authority,
    ...(signal === undefined ? {} : { signal }),
    cert: user.certificate,
    key: user.key,
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
  });
  requested.once('response', resolve);
  requested.once('error', (error) => {
    reject(
      new UsageError(`${because}, and the server at ${serverUrl} cannot be reached: ${error.message}`, {
        cause: error,
      }),
    );
  });
  requested.end();
  return promise;
}

async function responseText(response: IncomingMessage): Promise<string> {
  let whole = '';
  for await (const chunk of response.setEncoding('utf8')) whole += String(chunk);
  return whole;
}

/** The message of a Status, or the raw body. */
function messageOf(body: string): string {
  try {
    const { message } = JSON.parse(body) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not JSON: printed as it is.
  }
  return body.trim();
}
