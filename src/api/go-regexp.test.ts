import { describe, expect, it } from 'vitest';
import { goRegexp, goRegexpError } from './go-regexp.ts';

describe('regular expressions', () => {
  it.each([
    '',
    '^a+?$',
    '[]a]',
    '[^a-z\\d-]',
    '[[:alpha:]_]',
    '(?i:a|b)',
    '(?P<n>a){2,3}',
    '\\pL\\p{Greek}',
    '\\Qa(\\E',
    'a{,2}',
  ])('%s is one', (expression) => {
    expect(goRegexpError(expression)).toBeUndefined();
  });

  it.each([
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['a|*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['x[z-a]', 'invalid character class range: `z-a`'],
    ['x[a', 'missing closing ]: `[a`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<n-m>a)', 'invalid named capture: `(?<n-m>`'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
  ])('%s is none', (expression, message) => {
    expect(goRegexpError(expression)).toBe(`error parsing regexp: ${message}`);
  });
});

describe('matches', () => {
  it.each([
    ['^a+$', 'aaa', 'baa'],
    ['^[[:alpha:]_]+$', 'ab_', 'a1'],
    ['^[[:^digit:]]$', 'x', '5'],
    ['(?i)^AB$', 'ab', 'abc'],
    ['^a(?i)b|C$', 'aB', 'x'],
    ['^(?P<n>a){2,3}$', 'aaa', 'a'],
    ['^\\pL\\p{Greek}$', 'aα', 'aa'],
    ['^\\Qa(b\\E$', 'a(b', 'ab'],
    ['^[^\\d\\s-]+$', 'ab', 'a b'],
    ['^a{x}\\_\\x41$', 'a{x}_A', 'a'],
    ['^[]a-]+$', ']-a', 'b'],
    ['\\Aa\\z', 'a', 'ab'],
  ])('%s', (expression, match, other) => {
    expect(goRegexp(expression).test(match)).toBe(true);
    expect(goRegexp(expression).test(other)).toBe(false);
  });
});
