import type { Encoding } from '../forms/encoding.ts';
import type { Form } from '../forms/form.ts';
import { type AcceptClause, acceptsType, parseAccept } from './accept-header.ts';
import type { OutputFormat } from './output-format.ts';
import { TextCache } from '../../api/text/text-cache.ts';
import { noSuchRepresentation, notAcceptable, unsupportedMediaType } from '../../api/errors/status-errors.ts';

/** The wire forms that an endpoint offers. */
export interface OutputOffer {
  /** In order of preference; the first is the default. */
  readonly encodings: readonly Encoding[];
  /** The first is the default. */
  readonly forms: readonly Form[];
  /** Encodings available only for converted forms such as Tables. */
  readonly convertedOnly: readonly Encoding[];
  /** The accepted `sv` parameter: the version for responses that are not the resource's own, such as a Status. */
  readonly serverVersion?: string;
}

/**
 * Content negotiation as in the reference (RFC 9110 section 12.5.1, with the `as`, `g`, `v`, `pretty` and `stream`
 * parameters).
 */
export function negotiateOutput(accept: string | undefined, offer: OutputOffer): OutputFormat {
  let known = remembered.get(offer);
  if (known === undefined) {
    known = { absent: defaultFormat(offer), formats: new TextCache(maxRememberedChars) };
    remembered.set(offer, known);
  }
  if (accept === undefined || accept === '') return known.absent;
  return known.formats.remember(accept, (text) => chooseFormat(text, offer));
}

/** A client sends the same header with every request: results are cached per offer. */
const remembered = new WeakMap<
  OutputOffer,
  { readonly absent: OutputFormat; readonly formats: TextCache<OutputFormat> }
>();
const maxRememberedChars = 16 * 1024;

function defaultFormat({ encodings: [encoding], forms: [form] }: OutputOffer): OutputFormat {
  if (encoding === undefined || form === undefined) throw new Error('no media type is offered');
  return { encoding, form, version: 'v1', pretty: false };
}

function chooseFormat(accept: string, offer: OutputOffer): OutputFormat {
  for (const clause of parseAccept(accept)) {
    for (const encoding of offer.encodings) {
      if (!acceptsType(clause, encoding.serializer.mediaType)) continue;
      const format = formatOf(clause, encoding, offer);
      if (format !== undefined) return format;
    }
  }
  throw notAcceptable(offer.encodings.map(({ serializer }) => serializer.mediaType));
}

/**
 * Refuses a request that accepts none of the media types of its route, as the reference's router does before
 * negotiation: the only wildcard it knows is the one for all types.
 */
export function refuseUnrepresented(accept: string | undefined, available: readonly string[]): void {
  if (accept === undefined || accept === '' || available.includes(accept)) return;
  const isOffered = (type: string): boolean => type === '*/*' || available.includes(type);
  const types = accept.split(',').map((clause) => (clause.split(';')[0] ?? '').trim());
  if (!types.some(isOffered)) throw noSuchRepresentation(available);
}

function formatOf({ parameters }: AcceptClause, encoding: Encoding, offer: OutputOffer): OutputFormat | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && !(stream === 'watch' && encoding.events !== undefined)) return undefined;
  if (parameters.has('sv') && parameters.get('sv') !== offer.serverVersion) return undefined;
  const pretty = parameters.get('pretty') === '1';
  if (!formParameters.some((name) => parameters.has(name))) {
    return offer.convertedOnly.includes(encoding) ? undefined : { ...defaultFormat(offer), encoding, pretty };
  }
  const form = offer.forms.find((candidate) => asksFor(parameters, candidate));
  const version = parameters.get('v');
  if (form === undefined || version === undefined) return undefined;
  if (form.mediaTypes?.includes(encoding.serializer.mediaType) === false) return undefined;
  return { encoding, form, version, pretty };
}

const formParameters = ['as', 'g', 'v'];

function asksFor(parameters: AcceptClause['parameters'], { requested }: Form): boolean {
  if (requested === undefined || parameters.get('as') !== requested.as || parameters.get('g') !== requested.group)
    return false;
  return requested.versions.includes(parameters.get('v') ?? '');
}

/** The media type of a request body; 415 if it is not offered. Without a header the first one applies. */
export function negotiateInput(contentType: string | undefined, mediaTypes: readonly string[]): string {
  const [preferred = ''] = mediaTypes;
  if (contentType === undefined || contentType === '') return preferred;
  const named = hasParameters(contentType) ? mediaTypeOf(contentType) : undefined;
  const found = mediaTypes.find((mediaType) => mediaType === named);
  if (found === undefined) throw unsupportedMediaType(mediaTypes);
  return found;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = new RegExp(`\\s*;\\s*(${token})\\s*=\\s*(?:${token}|"(?:[^"\\\\\\r\\n]|\\\\.)*")`, 'y');

/** Whether valid parameters follow the type, as parsed by Go's `mime`: no duplicates, a trailing semicolon allowed. */
function hasParameters(contentType: string): boolean {
  const semicolon = contentType.indexOf(';');
  if (semicolon === -1) return true;
  const seen = new Set<string>();
  let end = semicolon;
  parameter.lastIndex = end;
  for (let found = parameter.exec(contentType); found !== null; found = parameter.exec(contentType)) {
    const name = (found[1] ?? '').toLowerCase();
    if (seen.has(name)) return false;
    seen.add(name);
    end = parameter.lastIndex;
  }
  const rest = contentType.slice(end).trim();
  return rest === '' || rest === ';';
}

/** The type without parameters, in lower case. */
export function mediaTypeOf(header: string): string {
  const semicolon = header.indexOf(';');
  return (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}

/** Whether to indent: `?pretty=1`, or by default for browsers, curl and wget. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const pretty = query.get('pretty');
  if (pretty !== null && pretty !== '') return /^(1|t|T|true|TRUE|True)$/.test(pretty);
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
