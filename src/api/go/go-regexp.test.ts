import { beforeAll, describe, expect, it } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { compileGoRegexp, goRegexpError, goRegexpMatches, loadGoRegexp } from './go-regexp.ts';

beforeAll(loadGoRegexp);

describe('regular expressions', () => {
  it.each([
    '',
    '^a+?$',
    '[]a]',
    '[^a-z\\d-]',
    '[[:alpha:]_]',
    '(?i:a|b)',
    '(?P<n>a){2,3}',
    '(?P<n>a)(?<n>b)',
    '\\pL\\p{Greek}',
    '\\pl\\p{gReEk}\\P{uppercase-letter}',
    '\\Qa(\\p{none}\\E',
    'a{,2}',
    '('.repeat(999) + ')'.repeat(999),
    '(a{100}){10}',
    '(a{1000}b{1000})'.repeat(50),
  ])('%s is valid', (expression) => {
    expect(goRegexpError(expression)).toBeUndefined();
  });

  it.each([
    ['(a', 'missing closing ): `(a`'],
    ['a)', 'unexpected ): `a)`'],
    ['a|*', 'missing argument to repetition operator: `*`'],
    ['a**', 'invalid nested repetition operator: `**`'],
    ['a{2,1}', 'invalid repeat count: `{2,1}`'],
    ['a{1001}', 'invalid repeat count: `{1001}`'],
    ['((a{100}){10}){2}', 'invalid repeat count: `{2}`'],
    ['x[z-a]', 'invalid character class range: `z-a`'],
    ['x[a', 'missing closing ]: `[a`'],
    ['\\p{letter}[\\p{greek}', 'missing closing ]: `[\\p{greek}`'],
    ['\\p{letter}\\p{none}', 'invalid character class range: `\\p{none}`'],
    ['\\p{^emoji}', 'invalid character class range: `\\p{^emoji}`'],
    ['\\p{\\pl', 'invalid character class range: `\\p{\\pl`'],
    ['\\p{Old_Italic}', 'invalid character class range: `\\p{Old_Italic}`'],
    ['(?P<n>a)(\\p{greek}', 'missing closing ): `(?P<n>a)(\\p{greek}`'],
    ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['(?<', 'invalid or unsupported Perl syntax: `(?<`'],
    ['(?P<n>(?<', 'invalid or unsupported Perl syntax: `(?<`'],
    ['(?P<', 'invalid or unsupported Perl syntax: `(?P`'],
    ['(?<a', 'invalid named capture: `(?<a`'],
    ['(?<n-m>a)', 'invalid named capture: `(?<n-m>`'],
    ['\\y', 'invalid escape sequence: `\\y`'],
    ['a\\', 'trailing backslash at end of expression: ``'],
  ])('%s is invalid', (expression, message) => {
    expect(goRegexpError(expression)).toBe(`error parsing regexp: ${message}`);
  });

  it.each([
    ['too deep', '('.repeat(1000) + ')'.repeat(1000), 'expression nests too deeply'],
    ['too large', `(${'a'.repeat(3000)}){1000}`, 'expression too large'],
    ['too much counted', 'a{999,1000}'.repeat(101), 'expression too large'],
    ['too long', 'a'.repeat(10_001), 'expression too large'],
  ])('%s', (_, expression, message) => {
    expect(goRegexpError(expression)).toBe(`error parsing regexp: ${message}: \`${expression}\``);
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
    ['^(?P<n>a)(?P<n>b)$', 'ab', 'aa'],
    ['^\\pL\\p{Greek}$', 'aα', 'aa'],
    ['^\\p{uppercase_letter}\\p{^greek}[\\p{Decimal Number}]$', 'Aa5', 'AαA'],
    ['^[(?P<n>]+$', '(n?', 'g'],
    ['^\\Qa(b\\E$', 'a(b', 'ab'],
    ['^\\Q\\p{greek}\\E$', '\\p{greek}', 'α'],
    ['^[^\\d\\s-]+$', 'ab', 'a b'],
    ['^a{x}\\_\\x41$', 'a{x}_A', 'a'],
    ['^[]a-]+$', ']-a', 'b'],
    ['\\Aa\\z', 'a', 'ab'],
    ['^.$', '😀', '😀😀'],
    ['^[😀-😂]$', '😁', '\ud83d'],
    ['^\ufffd$', '\ud83d', '\ud83d\ude01'],
  ])('%s', (expression, match, other) => {
    expect(goRegexpMatches(expression, match)).toBe(true);
    expect(goRegexpMatches(expression, other)).toBe(false);
  });
});

describe('time', () => {
  it.each([
    ['^(a+)+$', `${'a'.repeat(50)}!`],
    ['^(a+)+$', `${'a'.repeat(100_000)}!`],
    ['(x+x+)+y', 'x'.repeat(100_000)],
    ['^(a|a?)+$', `${'a'.repeat(100_000)}!`],
  ])('%s does not match a hostile string', (expression, text) => {
    expect(cpuTimeRatio(() => expect(goRegexpMatches(expression, text)).toBe(false), 500)).toBeLessThan(1);
  });

  it.each([
    ['a long text', '\\pL{1000}', 'a'.repeat(3000)],
    ['a long program', 'a{1000}'.repeat(100), 'a'],
    ['a literal many times', `(${'a'.repeat(1000)}){100}`, 'a'],
    ['large classes many times', '\\pL'.repeat(2000), 'a'],
  ])('%s is not matched', (_, expression, text) => {
    expect(cpuTimeRatio(() => expect(goRegexpMatches(expression, text)).toBeUndefined(), 500)).toBeLessThan(1);
  });

  it.each([
    ['a+', 'caaba', ['aa', 'a']],
    ['a*', 'baac', ['', 'aa', '']],
    ['', 'ab', ['', '', '']],
    ['x', 'ab', []],
  ])('%s finds in %s', (expression, text, found) => {
    const regexp = compileGoRegexp(expression);
    expect(regexp.find(text, 100)).toEqual(found);
    expect(regexp.find(text, 1)).toEqual(found.slice(0, 1));
    expect(regexp.matches(text)).toBe(found.length > 0);
  });

  it('do not search long strings for every match', () => {
    expect(compileGoRegexp('a').find('a'.repeat(20_000), 100)).toBeUndefined();
    expect(() => compileGoRegexp('(')).toThrow('missing closing )');
  });
});
