import { existsSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { readKubeconfig, type ServerAccess } from '../authentication/pki/kubeconfig.ts';
import { snapshotPath } from '../http/routes/snapshot-route.ts';
import { storageFolder } from '../server/config.ts';
import { StorageError } from '../storage/contract.ts';
import { openEmbeddedStorage } from '../storage/embedded/engine.ts';
import { StoreInUseError } from '../storage/embedded/log-client.ts';
import { storeFile } from '../storage/embedded/store-file.ts';
import { UsageError } from './errors.ts';

/**
 * Calls `use` with a snapshot of a data directory's store. Only one process can have a store open: this one if no
 * server is running, otherwise the snapshot is requested from the server, as its administrator.
 */
export async function withSnapshot<T>(
  dataDir: string,
  use: (chunks: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const folder = join(dataDir, storageFolder);
  if (!existsSync(join(folder, storeFile))) throw new UsageError(`${dataDir} contains no store`);
  try {
    await using storage = await openEmbeddedStorage({ dataDir: folder });
    return await use(asynchronous(storage.takeSnapshot()));
  } catch (error) {
    if (!(error instanceof StorageError && error.cause instanceof StoreInUseError)) throw error;
    return use(askServer(dataDir));
  }
}

async function* asynchronous(chunks: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

async function* askServer(dataDir: string): AsyncGenerator<Uint8Array> {
  const path = join(dataDir, 'admin.kubeconfig');
  const access = await readKubeconfig(path);
  if (access === undefined)
    throw new UsageError(`the store in ${dataDir} is in use, and ${path} does not contain the address of the server`);
  const response = await open(access);
  if (response.statusCode !== 200) {
    const why = messageOf(await textOf(response));
    throw new UsageError(`the server at ${access.serverUrl} answered ${response.statusCode}: ${why}`);
  }
  try {
    yield* response as AsyncIterable<Uint8Array>; // without an encoding, chunks are bytes
  } catch (error) {
    throw new UsageError(`the connection to ${access.serverUrl} was interrupted: ${text(error)}`, { cause: error });
  }
}

function open({ serverUrl, authority, tlsServerName, user }: ServerAccess): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const asked = request(new URL(snapshotPath, serverUrl), {
    ca: authority,
    cert: user.certificate,
    key: user.key,
    ...(tlsServerName === undefined ? {} : { servername: tlsServerName }),
  });
  asked.once('response', resolve);
  asked.once('error', (error) => {
    const message = `the store is in use, and the server at ${serverUrl} cannot be reached: ${error.message}`;
    reject(new UsageError(message, { cause: error }));
  });
  asked.end();
  return promise;
}

async function textOf(response: IncomingMessage): Promise<string> {
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

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
