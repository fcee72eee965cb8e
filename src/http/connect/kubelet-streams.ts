import { joinHostPort } from '../../api/text/host-port.ts';
import { isJsonObject, type JsonValue } from '../../api/json/json.ts';
import type { Http1Response } from '../../outgoing/http1/response.ts';
import { SpdyConnection } from '../../outgoing/spdy/spdy-connection.ts';
import { ProxyError, type ProxyTarget } from '../proxy/proxy-target.ts';
import { agreesToSpdy, askFor } from '../proxy/tunnel.ts';
import { beginningOf } from './beginning-of.ts';

/** Protocols offered to the kubelet, in order of preference. */
const protocols = ['v5', 'v4', 'v3', 'v2'].map((version) => `${version}.channel.k8s.io`).concat('channel.k8s.io');
const maxErrorBytes = 64 * 1024;
const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface KubeletStreams {
  readonly connection: SpdyConnection;
  readonly streamProtocol: string;
}

/** Opens a SPDY connection for the streams of a container. Throws an Error with the kubelet's response. */
export async function openKubeletStreams(target: ProxyTarget, left: Promise<unknown>): Promise<KubeletStreams> {
  const { path, query } = target;
  const authority = joinHostPort(target);
  const url = `https://${authority}${path}${query === '' ? '' : `?${query}`}`;
  const headers = ['Content-Length', '0', 'Connection', 'Upgrade', 'Upgrade', 'SPDY/3.1'];
  for (const each of protocols) headers.push('X-Stream-Protocol-Version', each);
  let opened: Awaited<ReturnType<typeof askFor>>;
  try {
    opened = await askFor(
      target,
      { method: 'POST', authority, headers },
      { onClose: (listener) => void left.then(listener) },
    );
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    const words = error.message.replace(/^error dialing backend: /, '');
    throw new Error(`error sending request: Post "${url}": ${words}`, { cause: error });
  }
  if (!opened.agreed) {
    const { status, body } = opened.response;
    const location = opened.response.header('location');
    if (redirections.has(status) && location !== undefined) {
      body.destroy();
      throw new Error(`error sending request: Post "${location}": redirect not allowed`);
    }
    throw new Error(`unable to upgrade connection: ${await reasonOf(opened.response)}`);
  }
  const { response, socket, head } = opened;
  if (!agreesToSpdy(response)) {
    socket.destroy();
    throw new Error('unable to upgrade connection: empty server response');
  }
  // Without a choice, it is the first version of all.
  const streamProtocol = response.header('x-stream-protocol-version') ?? 'channel.k8s.io';
  const spdy = new SpdyConnection(socket, head);
  void left.then(() => spdy.destroy());
  return { connection: spdy, streamProtocol };
}

/** The message of a Status, or the text. */
async function reasonOf({ body }: Http1Response): Promise<string> {
  const text = (await beginningOf(body, maxErrorBytes)).trim();
  return messageIn(text) ?? (text === '' ? 'empty server response' : text);
}

function messageIn(text: string): string | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (!isJsonObject(value)) return undefined;
    const found = [value['message'], value['error']].find((each) => typeof each === 'string' && each.trim() !== '');
    return typeof found === 'string' ? found.trim() : undefined;
  } catch {
    // Kubelets mostly answer in plain text.
    return undefined;
  }
}
