import { expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { acceptsType, parseAccept } from './accept-header.ts';

function order(header: string): string[] {
  return parseAccept(header).map(({ type, subtype, quality }) => `${type}/${subtype} ${quality}`);
}

test.each([
  ['a/b', ['a/b 1']],
  [' a / b ,c/d', ['a/b 1', 'c/d 1']],
  ['*', ['*/* 1']],
  ['a', []],
  ['a/', []],
  ['a/b/c', []],
  ['', []],
  [';', []],
  ['/b', ['/b 1']],
  ['a/b;q=0.2,c/d;q=0.8', ['c/d 0.8', 'a/b 0.2']],
  ['a/b;q=1,c/d;q=2', ['c/d 2', 'a/b 1']],
  ['a/b;q=x,c/d;q=-1,e/f', ['e/f 1', 'a/b 0', 'c/d -1']],
  ['a/b;q=', ['a/b 1']],
  ['a/b; q=0.5 ', ['a/b 0.5']],
  ['a/b;q= 0.5', ['a/b 0']],
  ['*/*,a/b;q=0.1', ['a/b 0.1', '*/* 1']],
  ['a/*,*/*,a/b;q=0.1', ['a/b 0.1', 'a/* 1', '*/* 1']],
])('%j', (header, clauses) => {
  expect(order(header)).toEqual(clauses);
});

test.each([
  ['blanks', ' '.repeat(60_000)],
  ['blanks between', `a/b${' '.repeat(60_000)};q=1`],
  ['wildcards and types', '*/*,'.repeat(7500) + 'a/b,'.repeat(7500)],
])('a header of 60 KB of %s takes little time', (_, header) => {
  expect(cpuTimeRatio(() => parseAccept(header), 100)).toBeLessThan(1);
});

test('parameters without a value, or with more than one, are ignored', () => {
  const [clause] = parseAccept('a/b; as=Table ;g=;v;x=1=2;y=1=');
  expect([...(clause?.parameters ?? [])]).toEqual([
    ['as', 'Table'],
    ['y', '1'],
  ]);
});

test.each([
  ['*/*', true],
  ['application/*', true],
  ['application/json', true],
  ['*/json', false],
  ['Application/json', false],
  ['text/*', false],
])('%s accepts JSON: %s', (range, accepts) => {
  expect(parseAccept(range).some((clause) => acceptsType(clause, 'application/json'))).toBe(accepts);
});
