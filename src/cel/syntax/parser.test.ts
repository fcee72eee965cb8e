import { describe, expect, it, test } from 'vitest';
import { macroKey } from './macro.ts';
import { type Parsed, parse } from './parser.ts';
import { standardMacros } from './standard-macros.ts';

const macros = new Map(standardMacros.map((macro) => [macroKey(macro.name, macro.argCount, macro.isMember), macro]));
const repeated = (text: string, by: string, count: number): string =>
  Array.from({ length: count }, () => text).join(by);
const nested = (text: string, levels: number, [open = '(', close = ')'] = '()'): string =>
  `${open.repeat(levels)}${text}${close.repeat(levels)}`;

const parsed = (text: string): Parsed => parse(text, { macros, optionals: true });

/** Without places. */
function shape(value: unknown): string {
  return JSON.stringify(value, (key, part: unknown) => (key === 'at' ? undefined : part));
}

describe('long expressions', () => {
  const members = [
    'a',
    'b.c[1]',
    'x ? y : z',
    '[1, [2]]',
    '{1: 2}',
    'a == b && c',
    'all.exists(i, i > 1)',
    'f(1).g(2)',
  ];

  it.each(members)('have the same members as a short one: %s', (member) => {
    const alone = shape(parsed(member).expr);
    const { expr, issues } = parsed(`[[0, ${repeated(member, ', ', 1500)}]]`);
    expect(issues).toEqual([]);
    const inner = expr.kind === 'list' ? expr.elements[0]?.value : undefined;
    const found = inner?.kind === 'list' ? inner.elements.slice(1).map(({ value }) => shape(value)) : [];
    expect(found).toHaveLength(1500);
    expect(new Set(found)).toEqual(new Set([alone]));
  });

  it('are as deep as their parts are in them', () => {
    const text = (levels: number): string => nested(repeated(nested('1', levels), ', ', 300), 150, '[]');
    expect(parsed(text(90)).issues).toEqual([]);
    expect(parsed(text(110)).issues.map(({ message }) => message)).toEqual([
      'expression recursion limit exceeded: 250',
    ]);
  });

  it('are told of what is wrong in their order', () => {
    const many = repeated('1', ', ', 500);
    const { issues } = parsed(`[if, ${many}, [${many}, 99999999999999999999], for] == [has(1)]`);
    expect(issues.map(({ message }) => message)).toEqual([
      'reserved identifier: if',
      'invalid int literal',
      'reserved identifier: for',
      'invalid argument to has() macro',
    ]);
  });
});

test('errors of syntax are found at any depth', () => {
  const { issues } = parsed(nested('1 2', 200, '[]'));
  expect(issues.map(({ message }) => message)).toEqual(["Syntax error: extraneous input '2' expecting {']', ','}"]);
});
