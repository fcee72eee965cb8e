import { formatApiVersion } from '../../api/meta/group-version.ts';
import { currentSpan, type Span } from '../../api/contracts/span.ts';
import type { OutputFormat } from '../negotiation/output-format.ts';
import { protocolOf } from '../request/request-attributes.ts';
import type { RequestContext } from '../request/request-context.ts';

/** The part of a trace in which an object is encoded and sent; undefined: nothing is traced. */
export interface ResponseSteps {
  /** The body is about to be sent, if its size is known. */
  encoded(sizeBytes?: number): void;
  sent(): void;
}

/** Begins it. Refusals are no steps of the verb. */
export function beginResponse(
  context: RequestContext,
  { encoding: { serializer }, pretty }: OutputFormat,
  { isRefusal = false }: { readonly isRefusal?: boolean } = {},
): ResponseSteps | undefined {
  const verb = currentSpan();
  if (verb === undefined || !context.hasInfo) return undefined;
  // Other documents are written by other means in the reference.
  if (!isRefusal && !context.info.isResourceRequest) return undefined;
  const { exchange, info } = context;
  const isTraced = !isRefusal && info.verb !== 'list';
  if (isTraced) verb.event('About to write a response');
  const span = verb.child('SerializeObject', {
    ...requestAttributes(context),
    mediaType: serializer.mediaType,
    encoder: encoderName(formatApiVersion(info.group, info.version), serializer.mediaType, pretty),
  });
  return {
    encoded: (size) => span.event('About to start writing response', size === undefined ? {} : { size }),
    sent() {
      span.event('Write call succeeded', { size: exchange.sentBytes });
      span.end();
      if (isTraced) verb.event('Writing http response done');
    },
  };
}

/** The part of a trace in which a watch that begins with the state is sent; other watches have none. */
export function beginStream(context: RequestContext, { encoding, pretty }: OutputFormat): Span | undefined {
  const { info } = context;
  return currentSpan()?.child('WatchServer.HandleHTTP', {
    ...requestAttributes(context),
    mediaType: streamType(encoding.serializer.mediaType),
    encoder: encoderName(formatApiVersion(info.group, info.version), encoding.serializer.mediaType, pretty, 'raw-'),
  });
}

function requestAttributes({ auditId, exchange }: RequestContext) {
  return { 'audit-id': auditId, method: exchange.method, url: exchange.path, protocol: protocolOf(exchange) };
}

/** How the reference names the media type of a stream in traces. */
function streamType(mediaType: string): string {
  if (mediaType === 'application/json') return mediaType;
  return mediaType === 'application/cbor' ? 'application/cbor-seq' : `${mediaType};stream=watch`;
}

/** How the reference names an encoder of a version; that of protobuf has another name in streams. */
function encoderName(encodeGV: string, mediaType: string, pretty: boolean, framed: 'raw-' | '' = ''): string {
  const plain = mediaType.includes('protobuf') ? `${framed}protobuf` : /cbor/.exec(mediaType)?.[0];
  const yaml = String(mediaType.includes('yaml'));
  const encoder = plain ?? JSON.stringify({ name: 'json', pretty: String(pretty), strict: 'false', yaml });
  return JSON.stringify({ encodeGV, encoder, name: 'versioning' });
}
