import { withoutEdges } from '../../api/text/text-edges.ts';

/** One media range of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Without `q` and parameters without a value. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clauses are insertion-sorted, which is quadratic; no real client sends this many. */
const maxClauses = 1000;

/**
 * The clauses of an Accept header in the order in which the reference tries them. Clients rely on its parser: types are
 * case-sensitive, only spaces are trimmed, malformed clauses and parameters are ignored, and a malformed q is 0.
 */
export function parseAccept(header: string): AcceptClause[] {
  const ranks: Rank[] = [];
  for (const part of header.split(',', maxClauses)) {
    const clause = parseClause(trim(part));
    if (clause !== undefined) insert(ranks, clause);
  }
  return ranks.flat();
}

/** Clauses of equal rank. */
type Rank = [AcceptClause, ...AcceptClause[]];

/** Whether a clause matches a media type such as `application/json`. */
export function acceptsType({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  const [offeredType, offeredSubtype] = mediaType.split('/');
  return type === offeredType && (subtype === '*' || subtype === offeredSubtype);
}

/** Searches from the back: the order is not transitive, so the starting point matters. */
function insert(ranks: Rank[], clause: AcceptClause): void {
  let index = ranks.length - 1;
  let before = ranks[index];
  while (before !== undefined && goesBefore(clause, before[0])) before = ranks[--index];
  if (before !== undefined && isEqual(before[0], clause)) before.push(clause);
  else ranks.splice(index + 1, 0, [clause]);
}

function isEqual(one: AcceptClause, other: AcceptClause): boolean {
  const samePlaces = (one.type === '*') === (other.type === '*') && (one.subtype === '*') === (other.subtype === '*');
  return samePlaces && one.quality === other.quality;
}

/** A specific type precedes a wildcard, whatever their weights. */
function goesBefore(one: AcceptClause, other: AcceptClause): boolean {
  if (one.quality > other.quality) return true;
  if (one.type !== '*' && other.type === '*') return true;
  return one.subtype !== '*' && other.subtype === '*';
}

function parseClause(part: string): AcceptClause | undefined {
  const [range = '', ...items] = part.split(';');
  const [type = '', ...rest] = range.split('/');
  const name = trim(type);
  const after = rest.join('/');
  if (after === '') return name === '*' ? clauseOf(name, '*', items) : undefined;
  const [subtype = '', ...more] = rest;
  return more.join('/') === '' ? clauseOf(name, trim(subtype), items) : undefined;
}

function clauseOf(type: string, subtype: string, items: readonly string[]): AcceptClause {
  let quality = 1;
  const parameters = new Map<string, string>();
  for (const item of items) {
    const [key = '', value = '', ...more] = item.split('=');
    if ((value === '' && more.length === 0) || more.join('=') !== '') continue;
    if (trim(key) === 'q') quality = weight(value);
    else parameters.set(trim(key), trim(value));
  }
  return { type, subtype, quality, parameters };
}

function weight(text: string): number {
  return /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : 0;
}

function trim(text: string): string {
  return withoutEdges(text, ' ');
}
