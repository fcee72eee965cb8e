import { type AcceptClause, acceptsType, parseAccept } from './accept-header.ts';
import { TextCache } from '../../api/text-cache.ts';
import { noSuchRepresentation, notAcceptable, unsupportedMediaType } from '../../api/status-errors.ts';

/** What an answer is made of, as the client asked for it. */
export interface OutputFormat {
  readonly mediaType: string;
  readonly pretty: boolean;
  /** `object` is the resource's own kind. */
  readonly as: 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';
  /** Version of the meta.k8s.io group for the other three. */
  readonly asVersion: 'v1' | 'v1beta1';
}

/** Which transformations and media types an endpoint offers. */
export interface OutputOffer {
  /** In order of preference; the first is the default. */
  readonly mediaTypes: readonly string[];
  readonly transforms: readonly OutputFormat['as'][];
  /** Those of `mediaTypes` that have a form for streams of events. */
  readonly streams: readonly string[];
  /** Those of `mediaTypes` in which there is only what objects can be transformed into. */
  readonly transformedOnly?: readonly string[];
  /** What `sv` may ask for: the version of the group of what is not a resource's own, such as a Status. */
  readonly serverVersion?: string;
}

const tableMediaTypes: ReadonlySet<string> = new Set(['application/json', 'application/yaml']);

/** Content negotiation as the reference does it (RFC 9110 section 12.5.1 with `as`, `g`, `v`, `pretty` and `stream` parameters). */
export function negotiateOutput(accept: string | undefined, offer: OutputOffer): OutputFormat {
  const [preferred] = offer.mediaTypes;
  if (accept === undefined || accept === '') {
    return { mediaType: preferred ?? '', pretty: false, as: 'object', asVersion: 'v1' };
  }
  let known = remembered.get(offer);
  if (known === undefined) {
    known = new TextCache(maxRememberedChars);
    remembered.set(offer, known);
  }
  return known.remember(accept, (text) => chooseFormat(text, offer));
}

/** Every client sends the same header with each request: what it means is found once for each offer. */
const remembered = new WeakMap<OutputOffer, TextCache<OutputFormat>>();
const maxRememberedChars = 16 * 1024;

function chooseFormat(accept: string, offer: OutputOffer): OutputFormat {
  for (const clause of parseAccept(accept)) {
    for (const mediaType of offer.mediaTypes) {
      if (!acceptsType(clause, mediaType)) continue;
      const format = formatOf(clause, mediaType, offer);
      if (format !== undefined) return format;
    }
  }
  throw notAcceptable(offer.mediaTypes);
}

/**
 * Refuses a request that accepts nothing of what its route offers, as the reference's router does before anything is negotiated:
 * the only wildcard it knows is that of all types.
 */
export function refuseUnrepresented(accept: string | undefined, available: readonly string[]): void {
  if (accept === undefined || accept === '') return;
  const isOffered = (type: string): boolean => type === '*/*' || available.includes(type);
  const types = accept.split(',').map((clause) => (clause.split(';')[0] ?? '').trim());
  if (!types.some(isOffered)) throw noSuchRepresentation(available);
}

function formatOf({ parameters }: AcceptClause, mediaType: string, offer: OutputOffer): OutputFormat | undefined {
  const stream = parameters.get('stream');
  if (stream !== undefined && !(stream === 'watch' && offer.streams.includes(mediaType))) return undefined;
  if (parameters.has('sv') && parameters.get('sv') !== offer.serverVersion) return undefined;
  const pretty = parameters.get('pretty') === '1';
  const as = parameters.get('as');
  if (as === undefined && !parameters.has('g') && !parameters.has('v')) {
    if (offer.transformedOnly?.includes(mediaType) === true) return undefined;
    return { mediaType, pretty, as: 'object', asVersion: 'v1' };
  }
  const asVersion = parameters.get('v');
  if (parameters.get('g') !== 'meta.k8s.io' || (asVersion !== 'v1' && asVersion !== 'v1beta1')) return undefined;
  const transform = offer.transforms.find((candidate) => candidate === as);
  if (transform === undefined || transform === 'object') return undefined;
  if (transform === 'Table' && !tableMediaTypes.has(mediaType)) return undefined;
  return { mediaType, pretty, as: transform, asVersion };
}

/** The media type of a request body; 415 when it is none of those offered. An absent header means the first. */
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

/** Whether what follows the type are parameters as Go's `mime` reads them, none twice; a semicolon may end them. */
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

/** The type without its parameters, in lower case. */
export function mediaTypeOf(header: string): string {
  const semicolon = header.indexOf(';');
  return (semicolon === -1 ? header : header.slice(0, semicolon)).trim().toLowerCase();
}

/** Whether people read the answer: `?pretty=1`, or a browser or command-line fetcher without it. */
export function wantsPretty(query: URLSearchParams, userAgent: string | undefined): boolean {
  const asked = query.get('pretty');
  if (asked !== null && asked !== '') return /^(1|t|T|true|TRUE|True)$/.test(asked);
  return userAgent !== undefined && /^(curl|Wget|Mozilla\/5\.0)/.test(userAgent);
}
