import { rangeOf } from './byte-range.ts';

/** What a client says of the document that it has. */
export interface DocumentState {
  /** With its quotes; undefined: it has none. */
  readonly etag: string | undefined;
  /** Rounded down to seconds. */
  readonly modifiedMs: number;
  readonly sizeBytes: number;
}

/** How a request for a document is answered. */
export type DocumentResponse = 'whole' | 'unchanged' | 'precondition failed' | NonNullable<ReturnType<typeof rangeOf>>;

type HeaderOf = (name: string) => string | undefined;

/** Preconditions and ranges, in the order of RFC 9110, section 13.2.2; tags come before dates. */
export function responseFor(headerOf: HeaderOf, state: DocumentState): DocumentResponse {
  const { etag, modifiedMs, sizeBytes } = state;
  const match = headerOf('if-match') ?? '';
  if (match !== '') {
    if (!hasTag(match, etag, 'strongly')) return 'precondition failed';
  } else if (modifiedMs > dateOf(headerOf('if-unmodified-since'))) return 'precondition failed';
  const noneMatch = headerOf('if-none-match') ?? '';
  if (noneMatch !== '') {
    if (hasTag(noneMatch, etag)) return 'unchanged';
  } else if (modifiedMs <= dateOf(headerOf('if-modified-since'), -Infinity)) return 'unchanged';
  if (!isRangeMeant(headerOf('if-range') ?? '', state)) return 'whole';
  return rangeOf(headerOf('range'), sizeBytes) ?? 'whole';
}

/** In ms; `otherwise` if there is none. */
function dateOf(header = '', otherwise = Infinity): number {
  const date = Date.parse(header);
  return Number.isNaN(date) ? otherwise : date;
}

/** Whether a list of tags has this one; weak tags differ from strong ones only where it is compared strongly. */
function hasTag(list: string, etag: string | undefined, how: 'strongly' | 'weakly' = 'weakly'): boolean {
  const same = etag === undefined ? [] : how === 'strongly' ? [etag] : [etag, `W/${etag}`];
  return list.split(',').some((tag) => ['*', ...same].includes(tag.trim()));
}

function isRangeMeant(condition: string, { etag, modifiedMs }: DocumentState): boolean {
  if (condition === '' || condition === etag) return true;
  return dateOf(condition, -Infinity) === modifiedMs;
}
