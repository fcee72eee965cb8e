import type { IncomingMessage } from 'node:http';
import { badRequest, internalError } from '../../api/status-errors.ts';
import { StatusError } from '../../api/status.ts';
import { callWords } from '../../outgoing/call-words.ts';
import { refusalWords } from '../../outgoing/refused-call.ts';
import type { Upstream } from '../../outgoing/upstream.ts';
import { apiHeaders } from '../answers/respond.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ResourceRequest } from '../request/resource-request.ts';
import type { Exchange, ResponseStream } from '../transport/exchange.ts';
import { beginningOf } from './beginning-of.ts';
import type { ConnectParts } from './connect-handler.ts';
import { chosenContainer, type ConnectedPod } from './container.ts';
import { type KubeletAddress, kubeletAddress } from './kubelet-address.ts';
import { liveObject } from './live-object.ts';
import { logOptions, logQuery } from './log-options.ts';

/** How much of a kubelet's error is read. */
const maxErrorBytes = 50_000;

/** GET of `pods/log`: streams a container's output from the kubelet. */
export async function podLog({ context }: ResourceRequest, parts: ConnectParts): Promise<void> {
  const { namespace, name } = context.info;
  const options = logOptions(context.query, name, parts.gates.get('PodLogsQuerySplitStreams') === true);
  const isUnverified = options.insecureSkipTLSVerifyBackend === true;
  parts.measures.unverifiedLogs.add({ usage: isUnverified ? 'skip_tls_allowed' : 'enforce_tls' });
  const pod = await liveObject<ConnectedPod>(context, { plural: 'pods', namespace, name });
  const container = chosenContainer(pod, name, options.container ?? '');
  const { nodeName = '' } = pod.spec;
  // A pod without a node has no output.
  if (nodeName === '') return respondNothing(context);
  const address = await kubeletAddress(context, nodeName, parts.kubelets);
  const query = logQuery(options);
  const answer = await askKubelet(context.exchange, {
    address,
    upstream: isUnverified ? parts.connections.unverifiedKubelets : parts.connections.kubelets,
    target: `/containerLogs/${namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`,
    onUntrusted: () => parts.measures.failedLogs.add(),
  });
  try {
    await refuseUnlessGood(answer, name);
    await passLog(context, answer);
  } finally {
    answer.destroy();
  }
}

function respondNothing(context: RequestContext): void {
  context.responseCode = 204;
  context.exchange.respond(204, { ...context.commonHeaders }, '');
}

interface KubeletQuestion {
  readonly address: KubeletAddress;
  readonly upstream: Upstream;
  readonly target: string;
  readonly onUntrusted: () => void;
}

async function askKubelet(
  exchange: Exchange,
  { address, upstream, target, onUntrusted }: KubeletQuestion,
): Promise<IncomingMessage> {
  const { host, port } = address;
  const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const url = `https://${authority}${target}`;
  const sent = await upstream.request({
    ...{ method: 'GET', secure: true, host, port, target, headers: ['Host', authority] },
  });
  exchange.onClose(() => sent.destroy());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const fail = (words: string, at = url): void => {
    if (words.includes('x509:')) onUntrusted();
    reject(new StatusError({ code: 500, reason: '', message: `Get "${at}": ${words}` }));
  };
  sent.once('response', (answer) => {
    const { statusCode = 0, headers } = answer;
    if ([301, 302, 303, 307, 308].includes(statusCode) && headers.location !== undefined) {
      answer.destroy();
      fail('redirects forbidden', headers.location);
    } else resolve(answer);
  });
  sent.on('error', (error) => fail(callWords(error, address)));
  sent.end();
  return promise;
}

async function refuseUnlessGood(answer: IncomingMessage, pod: string): Promise<void> {
  const code = answer.statusCode ?? 0;
  if (code >= 200 && code <= 206) return;
  const body = await beginningOf(answer, maxErrorBytes);
  if (code === 500) throw internalError(body);
  if (code === 400) throw badRequest(body);
  const { reason, message } = refusalWords(code, body);
  throw new StatusError({
    code,
    reason: reason === 'AlreadyExists' ? 'Conflict' : reason,
    message: `${message} ( pods/log ${pod})`,
    details: { name: pod, kind: 'pods/log' },
  });
}

async function passLog(context: RequestContext, answer: IncomingMessage): Promise<void> {
  const { exchange } = context;
  const isText = exchange.header('sec-websocket-protocol')?.trim() === 'base64.binary.k8s.io';
  const stream = await streamOf(context, isText);
  if (stream === undefined) return;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (exchange.closed) return;
      // At the client's pace: the buffer is bounded.
      if (!stream.write(isText ? chunk.toString('base64') : chunk)) await stream.drained(Number.POSITIVE_INFINITY);
    }
  } catch {
    if (!exchange.closed) exchange.abort();
    return;
  }
  stream.end();
}

/** Over a WebSocket each part of the output is a message, after an empty one that confirms the connection. */
async function streamOf(context: RequestContext, isText: boolean): Promise<ResponseStream | undefined> {
  const { exchange } = context;
  if (exchange.acceptWebSocket === undefined) {
    context.responseCode = 200;
    return exchange.start(200, apiHeaders(context, 'text/plain'));
  }
  context.responseCode = 101;
  const stream = await exchange.acceptWebSocket(isText);
  stream?.write('');
  return stream;
}
