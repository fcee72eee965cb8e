import { currentSpan, enterSpan, type SpanAttributes } from '../../api/contracts/span.ts';
import type { Tracing } from '../../tracing/tracing-contract.ts';
import type { RequestContext, Stage } from '../request/request-context.ts';

/** Groups whose requests may continue a trace; requests of others begin one of their own. */
const trustedGroups: ReadonlySet<string> = new Set(['system:masters', 'system:monitoring']);

/** Traces the request from here to its end. What is refused before, by whoever sent it, is not traced. */
export function traceStage(tracing: Tracing): Stage {
  return {
    name: 'tracing',
    run(context) {
      const { exchange, user, receivedMs, auditId } = context;
      const span = tracing.begin(spanName(context), {
        header: (name) => exchange.header(name),
        isTrusted: user.groups.some((group) => trustedGroups.has(group)),
        beganMs: receivedMs,
        auditId,
        attributes: attributesOf(context),
      });
      context.trace = { request: span, step: undefined };
      enterSpan(span);
    },
    end({ trace, bodyBytes = 0, exchange }, { code }) {
      if (trace === undefined) return;
      trace.step?.end();
      const { request } = trace;
      if (bodyBytes > 0) request.set({ 'http.request.body.size': bodyBytes });
      if (exchange.sentBytes > 0) request.set({ 'http.response.body.size': exchange.sentBytes });
      if (code !== 0) request.set({ 'http.response.status_code': code });
      if (code >= 500) request.fail();
      request.end();
    },
    passedOn({ trace }) {
      trace?.step?.end();
      trace?.request.end();
    },
  };
}

/** A stage that shows in traces, under the reference's name; what follows it is below it. */
export function tracedStage(name: string, stage: Stage): Stage {
  return {
    ...stage,
    run(context) {
      const span = currentSpan()?.child(name);
      if (span !== undefined) enterSpan(span);
      const end = (): void => span?.end();
      try {
        const pending = stage.run(context);
        if (pending !== undefined) return pending.finally(end);
      } catch (error) {
        end();
        throw error;
      }
      end();
    },
  };
}

/** `PUT /api/v1/namespaces/{:namespace}/pods/{:name}/status`; only the method for paths that are no resources. */
function spanName({ exchange: { method }, info }: RequestContext): string {
  if (!info.isResourceRequest) return method;
  const { prefix, group, version, namespace, resource, name, subresource } = info;
  const parts = [
    prefix,
    group,
    version,
    ...(namespace === '' ? [] : ['namespaces', '{:namespace}']),
    resource,
    name === '' ? '' : '{:name}',
    subresource,
  ];
  return `${method} /${parts.filter((part) => part !== '').join('/')}`;
}

/** By OpenTelemetry's conventions for HTTP servers. */
function attributesOf({ exchange }: RequestContext): SpanAttributes {
  const { method, path, query, host, httpVersion, remoteAddress, remotePort } = exchange;
  const [, address = host, port] = /^(.*?):(\d+)$/.exec(host) ?? [];
  const agent = exchange.header('user-agent');
  return {
    'server.address': address,
    ...(port === undefined ? {} : { 'server.port': Number(port) }),
    'http.request.method': method,
    'url.scheme': 'https',
    'network.peer.address': remoteAddress,
    'network.peer.port': remotePort,
    ...(agent === undefined ? {} : { 'user_agent.original': agent }),
    'client.address': remoteAddress,
    'url.path': path,
    'network.protocol.version': httpVersion === '2' ? '2.0' : httpVersion,
    'http.target': query === '' ? path : `${path}?${query}`,
  };
}
