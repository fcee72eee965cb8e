import type { Question } from './question.ts';

// Values at the edges of what the types hold, and unusual spellings of them.

const calls = (receivers: readonly string[], members: readonly string[]): readonly string[] =>
  receivers.flatMap((receiver) => members.map((member) => `${receiver}${member}`));

const made = (name: string, texts: readonly string[]): readonly string[] => texts.map((text) => `${name}("${text}")`);

const timestamps = [
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999999999Z',
  '1969-12-31T23:59:59.5Z',
  '2024-02-29T12:00:00+14:00',
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '10000-01-01T00:00:00Z',
  '2023-01-01t00:00:00z',
  '2023-01-01T24:00:00Z',
  '2023-01-01T00:00:60Z',
  '2023-01-01T1:00:00Z',
  '2023-01-01T00:00:00,5Z',
  '2023-01-01T00:00:00.1234567891Z',
  '2023-01-01T00:00:00-00:00',
  '2023-01-01T00:00:00+24:00',
  '',
];
const seconds = [
  '0',
  '-1',
  '253402300799',
  '253402300800',
  '-62135596800',
  '-62135596801',
  '9223372036854775807',
  '1u',
  '1e10',
];
const parts = ['', '.getFullYear()', '.getDayOfYear("Asia/Tokyo")', ' + duration("1s")', '.getHours("+25:61")'];
const timeFields = [
  'seconds: 253402300800',
  'seconds: -62135596801',
  'seconds: 8640000000001',
  'seconds: 99999999999999',
  'nanos: -1',
  'nanos: 1000000000',
  'seconds: 9000000000000, nanos: 5',
];
const timeMembers = [
  '',
  '.getFullYear()',
  '.getMonth()',
  '.getDayOfWeek()',
  '.getDate()',
  '.getHours("+01:00")',
  ' == timestamp(0)',
  ' < timestamp(0)',
  ' - timestamp(0)',
  ' + duration("1h")',
];
const times = [
  ...calls(made('timestamp', timestamps), ['', '.getMilliseconds()', ' < timestamp(0)']),
  ...calls(
    seconds.map((each) => `timestamp(${each})`),
    parts,
  ),
  ...calls(
    timeFields.map((fields) => `google.protobuf.Timestamp{${fields}}`),
    timeMembers,
  ),
];

const durations = [
  '9223372036.854775807s',
  '-9223372036.854775808s',
  '9223372036.854775808s',
  '2562047h47m16.854775808s',
  '1ns',
  '0.5ns',
  '1us',
  '1\u00b5s',
  '1\u03bcs',
  '.5s',
  '1.s',
  '.s',
  '1h-1m',
  '1 h',
  '+1h',
  '1d',
  '0',
  '-0',
  '',
  '1e3s',
  '1h1h1h',
  '9999999999999999999s',
  '0.0000000001s',
  '1.0000000000000000000001h',
];
const durationFields = [
  'seconds: 9223372036',
  'seconds: 9223372037',
  'seconds: -9223372037',
  'seconds: 315576000001',
  'seconds: 1, nanos: -1',
  'nanos: 1000000000',
];
const lengths = [
  ...calls(made('duration', durations), ['', '.getMilliseconds()', '.getHours()']),
  ...calls(
    durationFields.map((fields) => `google.protobuf.Duration{${fields}}`),
    ['', '.getSeconds()', ' + duration("1s")'],
  ),
];

const packed: readonly (readonly [type: string, content: string])[] = [
  ['Int32Value', '\\x08\\x05'],
  ['StringValue', '\\x0a\\x01a'],
  ['Duration', '\\x08\\x05'],
  ['Timestamp', '\\x08\\x05'],
  ['Struct', ''],
  ['BoolValue', '\\x08\\x01'],
  ['DoubleValue', '\\x09\\x00\\x00\\x00\\x00\\x00\\x00\\xf8\\x3f'],
  ['BytesValue', '\\x0a\\x01a'],
  ['Value', '\\x1a\\x01a'],
  ['ListValue', '\\x0a\\x03\\x1a\\x01a'],
  ['Int32Value', '\\xff'],
  ['Nope', 'a'],
];
const contents = packed.flatMap(([type, content]) => {
  const any = `google.protobuf.Any{type_url: "type.googleapis.com/google.protobuf.${type}", value: b"${content}"}`;
  return [any, `type(${any})`, `${any} == 5`, `string(${any})`, `[${any}]`, `dyn(${any}) + 1`];
});

const quantities = [
  '1',
  '-0',
  '+1',
  '1Ki',
  '1ki',
  '1.5Gi',
  '1e3',
  '1E',
  '1e',
  '.5',
  '5.',
  '0x1',
  '1n',
  '0.1n',
  '1Ei',
  ' 1',
  '1KiB',
  '9223372036854775808',
  '9.999999999999999999Ei',
  '1e19',
  '1e-10',
  '100000000000000000000000',
  '12345678901234567890m',
];
const amounts = calls(made('quantity', quantities), [
  '',
  '.isInteger()',
  '.asInteger()',
  '.asApproximateFloat()',
  '.sign()',
  '.add(quantity("1"))',
  '.sub(1)',
  '.compareTo(quantity("1"))',
  ' == quantity("1000m")',
]);

const pairs = calls(
  ['[1,2,3]', '[]', '["a","b"]', '{"a":1,"b":2}', '{}', '[[1],[2]]', 'dyn([1])'],
  [
    '.all(i, v, i < 5)',
    '.existsOne(i, v, v == 2)',
    '.transformList(i, v, i > 0, v)',
    '.transformMap(i, v, v != 1, v)',
    '.transformMapEntry(i, v, {v: i})',
    '.transformMapEntry(i, v, {"a": i})',
    '.transformMapEntry(i, v, {1: i, 2: v})',
    '.all(i, i, true)',
    '.all(i, v)',
    '.transformList(1, v, v)',
    '.all(i, v, 1/0 > 0)',
  ],
);

const addresses = [
  ...calls(
    made('ip', ['01.2.3.4', '1.2.3', 'fe80::1%eth0', '::ffff:1.2.3.4', '1:2:3:4:5:6:7::', '::1.2.3.4', 'FE80::A', '']),
    ['', '.family()', '.isGlobalUnicast()', '.isLinkLocalUnicast()', ' == ip("1.2.3.4")'],
  ),
  ...calls(
    made('cidr', [
      '10.1.2.3/8',
      '10.0.0.0/33',
      '10.0.0.0/08',
      '::/0',
      '2001:db8::1/32',
      '::ffff:1.2.3.0/120',
      '1.2.3.4',
    ]),
    ['', '.ip()', '.masked()', '.prefixLength()', '.containsCIDR("10.0.0.0/16")', ' == cidr("10.0.0.0/8")'],
  ),
];

const versions = [
  '01.2.3',
  '1.2.3-rc.01',
  '1.2.3+b.01',
  '1.2.3-',
  '99999999999999999999.0.0',
  'V1.0.0',
  '1.-2.3',
  ' 1.2.3',
];
const semantic = versions.flatMap((text) => [
  `isSemver("${text}")`,
  `semver("${text}")`,
  `semver("${text}", true)`,
  `semver("${text}").compareTo(semver("1.2.3"))`,
]);

/** Every other one is recorded: neighbours are alike. */
export function edgeCases(): readonly Question[] {
  return [...times, ...lengths, ...contents, ...amounts, ...pairs, ...addresses, ...semantic]
    .filter((_, index) => index % 2 === 0)
    .map((expression) => ({ setting: 'plain', expression }));
}
