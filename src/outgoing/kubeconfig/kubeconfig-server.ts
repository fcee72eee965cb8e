import { readFile as readFileNow } from 'node:fs/promises';
import type { EgressWay } from '../../api/contracts/egress.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { type Call, type CallResponse, HttpCaller, type OpenResponse, type StreamCall } from '../http-call.ts';
import { type KubeconfigUser, type Pem, readKubeconfig } from './kubeconfig.ts';
import { Upstream } from '../upstream.ts';

/** How long a token read from a file is cached. */
const tokenAgeMs = 60_000;

/** The server of a kubeconfig, called as its user. */
export interface KubeconfigServer {
  readonly url: URL;
  /** Throws a CallError without a response. */
  call(call: Omit<Call, 'headers' | 'address'>): Promise<CallResponse>;
  /** Opens a response of any length. Throws a CallError without a response. */
  open(call: Omit<StreamCall, 'headers' | 'address'>): Promise<OpenResponse>;
}

/**
 * Opens the server of a kubeconfig file. The file is read once; certificate files it names are reloaded when they
 * change. Throws a KubeconfigError.
 */
export async function openKubeconfigServer(
  path: string,
  context: Pick<PartContext, 'readFile' | 'clock' | 'onStop' | 'log'>,
  egress?: EgressWay,
): Promise<KubeconfigServer> {
  const target = readKubeconfig(await context.readFile(path), path);
  const pems: { [part in PemPart]?: string } = {};
  let caller: HttpCaller | undefined;
  const read = async (part: PemPart): Promise<void> => {
    const pem = target[part];
    if (pem === undefined) return;
    pems[part] = await pemText(pem, context, (text) => {
      pems[part] = text;
      caller?.close();
      caller = undefined;
    });
  };
  await Promise.all((['authority', 'certificate', 'key'] as const).map(read));
  context.onStop(() => caller?.close());
  const authorization = authorizationOf(target, context);
  const callerOf = (): HttpCaller =>
    (caller ??= new HttpCaller(
      new Upstream(
        {
          ...(pems.authority === undefined ? {} : { ca: pems.authority }),
          ...(pems.certificate === undefined || pems.key === undefined
            ? {}
            : { cert: pems.certificate, key: pems.key }),
          ...(target.tlsServerName === undefined ? {} : { servername: target.tlsServerName }),
          rejectUnauthorized: !target.skipVerification,
        },
        { egress },
      ),
      context.log,
    ));
  const headersOf = async (): Promise<NonNullable<Call['headers']>> => {
    const shown = await authorization();
    return {
      accept: 'application/json, */*',
      'content-type': 'application/json',
      ...(shown === undefined ? {} : { authorization: shown }),
    };
  };
  return {
    url: target.url,
    call: async (call) => callerOf().call({ ...call, headers: await headersOf() }),
    open: async (call) => callerOf().open({ ...call, headers: await headersOf() }),
  };
}

type PemPart = 'authority' | 'certificate' | 'key';

async function pemText(
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
