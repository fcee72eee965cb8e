import { expect, it } from 'vitest';
import { responseFor } from './document-conditions.ts';

const [before, then, after] = [
  'Mon, 01 Jan 2001 00:00:00 GMT',
  'Tue, 02 Jan 2001 00:00:00 GMT',
  'Wed, 03 Jan 2001 00:00:00 GMT',
];
const state = { etag: '"a"', modifiedMs: Date.parse(then), sizeBytes: 10 };
const part = { start: 2, end: 5 };

it.each<[headers: { readonly [name: string]: string }, expected: ReturnType<typeof responseFor>]>([
  [{}, 'whole'],
  [{ 'if-none-match': '"b", W/"a"' }, 'unchanged'],
  [{ 'if-none-match': '*' }, 'unchanged'],
  [{ 'if-none-match': '"b"', 'if-modified-since': after }, 'whole'],
  [{ 'if-modified-since': then }, 'unchanged'],
  [{ 'if-modified-since': before }, 'whole'],
  [{ 'if-modified-since': 'yesterday' }, 'whole'],
  [{ 'if-match': '"a"' }, 'whole'],
  [{ 'if-match': 'W/"a"' }, 'precondition failed'],
  [{ 'if-match': '"a"', 'if-unmodified-since': before }, 'whole'],
  [{ 'if-unmodified-since': before }, 'precondition failed'],
  [{ 'if-unmodified-since': then }, 'whole'],
  [{ range: 'bytes=2-4' }, part],
  [{ range: 'bytes=10-' }, 'beyond'],
  [{ range: 'bytes=0-1,3-4' }, 'whole'],
  [{ range: 'bytes=2-4', 'if-range': '"a"' }, part],
  [{ range: 'bytes=2-4', 'if-range': '"b"' }, 'whole'],
  [{ range: 'bytes=2-4', 'if-range': then }, part],
  [{ range: 'bytes=2-4', 'if-none-match': '"a"' }, 'unchanged'],
])('%j', (headers, expected) => {
  expect(responseFor((name) => headers[name], state)).toEqual(expected);
});

it('a document without a tag matches any tag that is a star', () => {
  const untagged = { ...state, etag: undefined };
  expect(responseFor((name) => (name === 'if-none-match' ? '"a"' : undefined), untagged)).toBe('whole');
  expect(responseFor((name) => (name === 'if-none-match' ? '*' : undefined), untagged)).toBe('unchanged');
});
