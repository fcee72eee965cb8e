import { describe, expect, it, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { pemBlocks, readPem } from './pem.ts';

const block = (type: string, ...lines: readonly string[]): string =>
  [`-----BEGIN ${type}-----`, ...lines, `-----END ${type}-----`, ''].join('\n');

describe('PEM', () => {
  it.each([
    ['a block', block('A', 'AAAA'), ['A']],
    ['an empty block', block('A'), ['A']],
    ['headers', block('A', 'x: y', '', 'AAAA'), ['A']],
    ['a block without an end before another', `-----BEGIN A-----\nAAAA\n${block('B', 'AAAA')}`, ['B']],
    ['another end', `-----BEGIN A-----\nAAAA\n-----END B-----\n${block('B', 'AAAA')}`, ['B']],
    ['no base64', block('A', 'A') + block('B', 'AAAA'), ['B']],
    ['blanks at the ends of lines', block('A', 'AAAA \t').replaceAll('\n', ' \t\r\n'), ['A']],
    ['a header on the last line', block('A', 'x: y') + block('B', 'AAAA'), ['B']],
    ['headers that run on past the end', `-----BEGIN A-----\nx:-----END A-----\ny:\n${block('B', 'AAAA')}`, ['B']],
    ['a header for an end', `-----BEGIN A-----\nx: y\n-----END A:-----\nz: y\n${block('B', 'AAAA')}`, []],
  ])('with %s', (_, text, types) => {
    expect(pemBlocks(text).map(({ type }) => type)).toEqual(types);
  });

  it('returns the rest', () => {
    expect(readPem(`${block('A')}rest`).rest).toBe('rest');
    expect(readPem(block('A')).rest).toBe('');
  });
});

test.each([
  ['ends', '\n-----END A-----'],
  ['beginnings', '-----BEGIN A-----\n'],
  ['headers', '-----BEGIN A-----\nx:-----END A-----\n'],
  ['headers and ends', '-----BEGIN A-----\nx: y\n-----END A:-----\n'],
  ['blocks', block('A', 'AAAA')],
])('many %s take little time', (_, pump) => {
  const text = pump.repeat(500_000 / pump.length);
  expect(cpuTimeRatio(() => pemBlocks(text), 500)).toBeLessThan(1);
});
