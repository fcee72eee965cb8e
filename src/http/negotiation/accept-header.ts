import { withoutEdges } from '../../api/text-edges.ts';

/** One media range of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  /** Without `q`; only those that have a value. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Clauses are put in order one by one, so their number counts; nobody means as many. */
const maxClauses = 1000;

/**
 * The clauses of an Accept header in the order in which the reference tries them. Its parser is what clients know: types are told apart by case, blanks are
 * the only space, a malformed clause or parameter is passed over, and a malformed weight is 0.
 */
export function parseAccept(header: string): AcceptClause[] {
  const ranks: Rank[] = [];
  for (const part of header.split(',', maxClauses)) {
    const clause = parseClause(trim(part));
    if (clause !== undefined) insert(ranks, clause);
  }
  return ranks.flat();
}

/** Clauses that stand together and are told apart by nothing that matters to their order. */
type Rank = [AcceptClause, ...AcceptClause[]];

/** Whether a clause is about a media type, such as `application/json`. */
export function acceptsType({ type, subtype }: AcceptClause, mediaType: string): boolean {
  if (type === '*' && subtype === '*') return true;
  const [offeredType, offeredSubtype] = mediaType.split('/');
  return type === offeredType && (subtype === '*' || subtype === offeredSubtype);
}

/** From the back, past all that it goes before: that order is not transitive, so where the search begins makes a difference. */
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

/** A range that is named goes before a wildcard whatever their weights. */
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
