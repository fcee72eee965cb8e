import { joinHostPort } from '../../api/text/host-port.ts';
import { badRequest, internalError } from '../../api/errors/status-errors.ts';
import { StatusError } from '../../api/errors/status.ts';
import { callWords } from '../../outgoing/call-words.ts';
import { OutgoingRequest } from '../../outgoing/outgoing-request.ts';
import { refusalWords } from '../../outgoing/refused-call.ts';
import type { UpstreamResponse, UpstreamCall } from '../../outgoing/upstream-request.ts';
import { apiHeaders } from '../responses/respond.ts';
import type { RequestContext } from '../request/request-context.ts';
import { type ResourceRequest } from '../request/resource-request.ts';
import type { ResponseStream } from '../transport/exchange.ts';
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
  parts.metrics.unverifiedLogs.add({ usage: isUnverified ? 'skip_tls_allowed' : 'enforce_tls' });
  const pod = await liveObject<ConnectedPod>(context, { plural: 'pods', namespace, name });
  const container = chosenContainer(pod, name, options.container ?? '');
  const { nodeName = '' } = pod.spec;
  // A pod without a node has no output.
  if (nodeName === '') return respondNothing(context);
  const address = await kubeletAddress(context, nodeName, parts.kubelets);
  const query = logQuery(options);
  const upstream = isUnverified ? parts.connections.unverifiedKubelets : parts.connections.kubelets;
  const call = logCall(address, `/containerLogs/${namespace}/${name}/${container}${query === '' ? '' : `?${query}`}`);
  const passed = new OutgoingRequest({ upstream, call });
  context.exchange.onClose(() => passed.leave('context canceled'));
  try {
    const response = await responseTo(passed, { call, onUntrusted: () => parts.metrics.failedLogs.add() });
    await refuseUnlessGood(response, name);
    await passLog(context, response);
  } finally {
    passed.leave();
  }
}

function respondNothing(context: RequestContext): void {
  context.exchange.respond(204, { ...context.commonHeaders }, '');
}

function logCall({ host, port }: KubeletAddress, target: string): UpstreamCall {
  const authority = joinHostPort({ host, port });
  return { method: 'GET', secure: true, host, port, target, authority, headers: [], body: 'none' };
}

interface Asking {
  readonly call: UpstreamCall;
  readonly onUntrusted: () => void;
}

async function responseTo(passed: OutgoingRequest, { call, onUntrusted }: Asking): Promise<UpstreamResponse> {
  const failure = (words: string, at = `https://${call.authority}${call.target}`): StatusError => {
    if (words.includes('x509:')) onUntrusted();
    return new StatusError({ code: 500, reason: '', message: `Get "${at}": ${words}` });
  };
  const response = await passed.response().catch((error: Error) => {
    throw failure(callWords(error, call));
  });
  const location = response.header('location');
  if (redirections.has(response.status) && location !== undefined) throw failure('redirects forbidden', location);
  return response;
}

const redirections: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

async function refuseUnlessGood({ status: code, body: response }: UpstreamResponse, pod: string): Promise<void> {
  if (code >= 200 && code <= 206) return;
  const body = await beginningOf(response, maxErrorBytes);
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

async function passLog(context: RequestContext, response: UpstreamResponse): Promise<void> {
  const { exchange } = context;
  const isText = exchange.header('sec-websocket-protocol')?.trim() === 'base64.binary.k8s.io';
  const stream = await streamOf(context, isText);
  if (stream === undefined) return;
  try {
    for await (const chunk of response.body as AsyncIterable<Buffer>) {
      if (exchange.closed) return;
      // At the client's pace: the buffer is bounded.
      if (!stream.write(isText ? chunk.toString('base64') : chunk)) await stream.drained(Number.POSITIVE_INFINITY);
    }
    const failure = response.failure();
    if (failure !== undefined) throw failure;
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
    return exchange.start(200, apiHeaders(context, 'text/plain'));
  }
  const stream = await exchange.acceptWebSocket(isText);
  stream?.write('');
  return stream;
}
