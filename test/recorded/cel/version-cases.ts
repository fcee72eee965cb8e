import type { Question } from './question.ts';

/** Samples of each library and option that was added in some release. */
const expressions = [
  '"a".charAt(0)',
  '["a"].join()',
  '"%d".format([1])',
  'strings.quote("a")',
  '[1].sum()',
  '[1].includes(1)',
  '[1].sort()',
  'lists.range(2)',
  '[3, 1].sortBy(x, x)',
  '1 < 1.5',
  '1u == 1',
  '[1].map(x, x < 1.5)',
  '[1].all(x, true) && 1 < 1.5',
  'optional.of(1)',
  '{"a": 1}.?a',
  '[?optional.of(1)]',
  'quantity("1")',
  'sets.contains([1], [1])',
  'ip("1.2.3.4")',
  'cidr("1.2.3.4/8")',
  'format.uuid()',
  'semver("1.2.3")',
  'semver("1.2.3", true)',
  '[1].all(i, v, true)',
  '{"a": 1}.transformMap(k, v, v)',
  'url("http://a")',
  '"a".find("a")',
  'duration("x")',
  'timestamp("x")',
  '"a".matches("(")',
  '[1, "a"]',
  '[1, dyn("a")]',
  '[1].first()',
  'int("a")',
  '"a".reverse()',
  'dyn(1).or(optional.of(1))',
];
const versions = ['1.25', '1.27', '1.28', '1.29', '1.30', '1.31', '1.32', '1.33', '1.34', '1.36', '1.37'];

export function versionCases(): readonly Question[] {
  return [
    ...versions.flatMap((version) => expressions.map((expression) => ({ setting: 'none', expression, version }))),
    ...expressions.map((expression) => ({ setting: 'none', expression, version: '1.27', stored: true })),
  ];
}
