import { aggregates, macros } from './macro-cases.ts';
/** Values of all types: edge cases and ordinary ones. */
export const samples: { readonly [type: string]: readonly string[] } = {
  int: ['0', '1', '-1', '42', '9223372036854775807', '-9223372036854775808', '9007199254740993'],
  uint: ['0u', '1u', '18446744073709551615u'],
  double: ['0.0', '1.5', '-1.0', '1e300', 'double("NaN")', 'double("-Infinity")'],
  string: ['""', '"a"', '"\u00e9\u{1f600}x"'],
  bytes: ['b""', 'b"a\\xff"'],
  bool: ['true', 'false'],
  null: ['null'],
  list: ['[]', '[1, 2]', '["a"]'],
  map: ['{}', '{"a": 1}', '{1: "x"}'],
  duration: ['duration("1h")', 'duration("-1ns")'],
  timestamp: ['timestamp("2023-01-02T03:04:05.006Z")', 'timestamp(0)'],
  type: ['int', 'type(1.5)'],
  optional: ['optional.none()', 'optional.of(1)'],
};

const some = Object.values(samples).flatMap((values) => values.slice(0, 2));
const binary = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'];

function pairs(operators: readonly string[], left: readonly string[], right: readonly string[]): string[] {
  return operators.flatMap((operator) => left.flatMap((a) => right.map((b) => `${a} ${operator} ${b}`)));
}

function ownPairs(): string[] {
  const arithmetic = ['+', '-', '*', '/', '%', '==', '<'];
  return ['int', 'uint', 'double'].flatMap((type) => pairs(arithmetic, samples[type] ?? [], samples[type] ?? []));
}

/** Operators on mismatched types, reported by the checker; and the same hidden from it. */
function mixedPairs(): string[] {
  const first = Object.values(samples).flatMap((values) => values.slice(0, 1));
  const second = Object.values(samples).flatMap((values) => values.slice(-1));
  const checked = pairs(['+', '<', 'in', '=='], first, second);
  const hidden = pairs(
    ['+', '-', '<', 'in', '==', '!=', '&&'],
    first.map((each) => `dyn(${each})`),
    second,
  );
  return [...checked, ...hidden];
}

const conversions = ['bool', 'bytes', 'double', 'duration', 'dyn', 'int', 'string', 'timestamp', 'type', 'uint'];

function conversionCases(): string[] {
  const all = Object.values(samples).flat();
  const texts = [
    ...['true', 'TRUE', 'tRue', '1', '-5', '+5', '1.5', '1e3', '0x10', '1_000', ' 1', 'NaN', 'inf', '-Inf', 'Infinity'],
    ...['9223372036854775807', '9223372036854775808', '18446744073709551616', '1e400', '1h', '1h1m1.5s', '-2us', '1d'],
    ...['2023-01-02T03:04:05Z', '2023-01-02T03:04:05.123456789+02:00', '2023-02-30T00:00:00Z', '0000-01-01T00:00:00Z'],
    ...['9999-12-31T23:59:59Z', '2023-01-02', '', 'x'],
  ];
  const numbers = [
    '253402300799',
    '253402300800',
    '-62135596800',
    '-62135596801',
    '9.3e18',
    '-9.3e18',
    '1.8446744073709552e19',
  ];
  return conversions.flatMap((name) => [
    ...all.map((value) => `${name}(${value})`),
    ...texts.map((text) => `${name}(${JSON.stringify(text)})`),
    ...texts.map((text) => `${name}(s + ${JSON.stringify(text)})`).slice(0, 6),
    ...texts.map((text) => `${name}([${JSON.stringify(text)}][0])`),
    ...numbers.map((number) => `${name}([${number}][0])`),
    `${name}()`,
    `${name}(1, 2)`,
  ]);
}

const timeParts = [
  ...['getFullYear', 'getMonth', 'getDayOfYear', 'getDayOfMonth', 'getDate', 'getDayOfWeek', 'getHours', 'getMinutes'],
  ...['getSeconds', 'getMilliseconds'],
];

function timeCases(): string[] {
  const times = [
    '2023-01-02T03:04:05.006Z',
    '2024-12-31T23:59:59.999+05:30',
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
  ];
  const zones = [
    'UTC',
    '',
    'Europe/Berlin',
    'Asia/Kolkata',
    '+02:00',
    '-11:30',
    '02:15',
    'Nowhere',
    'x:1',
    '1:x',
    '+:',
  ];
  return timeParts.flatMap((part) => [
    ...times.map((time) => `timestamp("${time}").${part}()`),
    ...zones.map((zone) => `timestamp("2023-06-30T22:30:15.25Z").${part}("${zone}")`),
    `duration("3723004ms").${part}()`,
    `duration("-3723004ms").${part}()`,
    `"a".${part}()`,
    `dyn("a").${part}()`,
    `dyn(duration("90m")).${part}()`,
    `timestamp(0).${part}(1)`,
  ]);
}

const timeArithmetic = [
  'timestamp("2023-01-01T00:00:00Z") + duration("1.5s")',
  'duration("1.5s") + timestamp("2023-01-01T00:00:00+01:00")',
  'timestamp("2023-01-01T00:00:00Z") - duration("1ns")',
  'timestamp("2023-01-01T00:00:00Z") - timestamp("2022-01-01T00:00:00.5Z")',
  'timestamp("9999-12-31T23:59:59Z") + duration("1s")',
  'timestamp("0001-01-01T00:00:00Z") - duration("1ns")',
  'timestamp("9999-12-31T23:59:59Z") - timestamp("0001-01-01T00:00:00Z")',
  'duration("2562047h47m16.854775807s") + duration("1ns")',
  'duration("-2562047h47m16.854775808s") - duration("1ns")',
  '-duration("1s")',
  'duration("1s") - duration("3s")',
  'duration("1s") < duration("1001ms")',
  'timestamp(5) == timestamp("1970-01-01T00:00:05Z")',
  'timestamp("2023-01-01T00:00:00Z") == timestamp("2023-01-01T01:00:00+01:00")',
  'string(timestamp("2023-01-01T00:00:00.120Z"))',
  'string(timestamp("2023-01-01T00:00:00-00:30"))',
  'string(duration("1.000000001s"))',
  'int(duration("1us"))',
];

const logic = ['true', 'false', '(1 / 0 > 0)', 'dyn(1)', 'd.missing', 's == "text"'];

function logicCases(): string[] {
  const conditionals = logic.flatMap((a) => logic.map((b) => `${a} ? ${b} : d.a == 1`));
  return [
    ...pairs(['&&', '||'], logic, logic),
    ...conditionals,
    ...logic.map((each) => `!${each}`),
    ...logic.map((each) => `!!${each}`),
    ...some.map((each) => `!dyn(${each})`),
    ...some.map((each) => `-dyn(${each})`),
    'true ? 1 : 2',
    'true ? 1 : "a"',
    'dyn(true) ? 1 : 2',
    'd.a == 1 ? d.b : d.n',
    '(d.a == 1 ? d.e : d).f',
    '(d.a == 2 ? d.e : d).a',
    'd.a == 1 ? (d.b == "x" ? d.c : l) : l',
    'd.a == 1 ? has(d.e) : has(d.x)',
    'true || d.missing == 1 || false',
    'd.missing == 1 && false',
    'a || b',
  ];
}

const selections = [
  ...['d.a', 'd.b', 'd.c', 'd.e.f', 'd.e.g', 'd.x', 'd.x.y', 'd.a.x', 'd.c[0]', 'd.c[2]', 'd.c[3]', 'd.c[-1]', 'd.c.x'],
  ...[
    'd["a"]',
    'd["x"]',
    'd[1]',
    'd[1.0]',
    'd[true]',
    'd[null]',
    'd[d.b]',
    'd[s]',
    'd[n]',
    'd[l]',
    'l[0]',
    'l[0u]',
    'l[1.0]',
  ],
  ...[
    'l[1.5]',
    'l["a"]',
    'l[true]',
    'l[9223372036854775807]',
    'l[l[0]]',
    'l[size(l) - 1]',
    'l[d.a]',
    'n.a',
    's.a',
    's[0]',
  ],
  ...[
    'has(d.a)',
    'has(d.x)',
    'has(d.e.f)',
    'has(d.e.g)',
    'has(d.x.y)',
    'has(d.a.x)',
    'has(l.x)',
    'has(n.x)',
    'has(s.x)',
  ],
  ...[
    '[1, 2, 3][0]',
    '[1, 2, 3][3]',
    '[[1], [2]][1][0]',
    '{"a": {"b": 2}}.a.b',
    '{"a": 1}["b"]',
    '{1: 2}[1u]',
    '{1u: 2}[1]',
  ],
  ...[
    '{1: 2}[1.0]',
    '{1.5: 2}[1.5]',
    '{true: 2}[true]',
    '{"a": 1}.b',
    'has({"a": 1}.a)',
    'has({"a": 1}.b)',
    '{"a": null}.a',
  ],
  ...[
    '[1][0u]',
    '[1][0.0]',
    '[1]["0"]',
    '{"a": 1, "a": 2}',
    '{dyn(1): 1, dyn(1u): 2}[1]',
    '{1: 1}.size()',
    '[0].size()',
  ],
  ...[
    '1.a',
    '"a".b',
    'true.x',
    'duration("1s").x',
    'type(1).x',
    'missing',
    'missing.a',
    'd.a.b.c',
    '.d.a',
    '.missing',
    '[].x',
  ],
  ...[
    'd.?a',
    'd.?x',
    'd.?x.y',
    'd.?e.f',
    'd.?e.x',
    'd.?a.x',
    'd[?"a"]',
    'd[?"x"]',
    'l[?0]',
    'l[?5]',
    'l[?"a"]',
    'l[?0.5]',
  ],
  ...[
    'd.?a.value()',
    'd.?x.value()',
    'd.?x.orValue(5)',
    'd.?a.orValue(5)',
    'd.?x.or(d.?a)',
    'd.?a.or(d.?x)',
    'd.?x.hasValue()',
  ],
  ...[
    'has(d.?e.f)',
    'has(d.?x.f)',
    'd.?e.?f',
    'd.?e.?g',
    'd.?e[?"f"]',
    '{?"a": d.?a, ?"b": d.?x}',
    '[?d.?a, ?d.?x, 5]',
  ],
  ...['[?1]', '{?"a": 1}', 'optional.of(d).e.f', 'optional.of(l)[0]', 'optional.none().x'],
];

const optionals = [
  ...['optional.of(null)', 'optional.ofNonZeroValue(0)', 'optional.ofNonZeroValue(1)', 'optional.ofNonZeroValue("")'],
  ...[
    'optional.ofNonZeroValue([])',
    'optional.ofNonZeroValue({})',
    'optional.ofNonZeroValue(null)',
    'optional.ofNonZeroValue(0.0)',
  ],
  ...[
    'optional.ofNonZeroValue(duration("0s"))',
    'optional.ofNonZeroValue(timestamp("0001-01-01T00:00:00Z"))',
    'optional.ofNonZeroValue(b"")',
  ],
  ...[
    'optional.of(1) == optional.of(1)',
    'optional.of(1) == optional.none()',
    'optional.none() == optional.none()',
    'optional.of(1) == optional.of(1.0)',
  ],
  ...[
    'optional.of(optional.of(1)).value().value()',
    'optional.none().value()',
    'optional.of(1).or(optional.of(2))',
    'optional.none().orValue("a")',
  ],
  ...[
    'optional.none().or(optional.none()).hasValue()',
    'dyn(1).or(optional.of(1))',
    'dyn(1).orValue(1)',
    'dyn(1).value()',
    'dyn(1).hasValue()',
  ],
  ...[
    '[1, 2].first()',
    '[].first()',
    '[1, 2].last()',
    '[].last()',
    'optional.unwrap([optional.of(1), optional.none()])',
    '[optional.of(1)].unwrapOpt()',
  ],
  ...[
    '[dyn(1)].unwrapOpt()',
    'type(optional.none())',
    'type(optional.of(1)) == optional_type',
    'string(optional.of(1))',
    'optional.of(1) != dyn(1)',
  ],
  ...[
    '[optional.of(1)].map(x, x.value())',
    'optional.of([1])[?0]',
    'optional.of({"a": 1}).?a',
    'optional.of(d).?e.?f.orValue(false)',
  ],
];

const types = [
  ...[
    'type(1)',
    'type(1u)',
    'type(1.0)',
    'type("a")',
    'type(b"a")',
    'type(true)',
    'type(null)',
    'type([])',
    'type({})',
    'type(type(1))',
  ],
  ...[
    'type(duration("1s"))',
    'type(timestamp(0))',
    'type(1) == int',
    'type(1) == uint',
    'type("a") == string',
    'type([]) == list',
    'type({}) == map',
  ],
  ...[
    'type(null) == null_type',
    'type(type) == type',
    'int',
    'list',
    'map',
    'google.protobuf.Timestamp',
    'google.protobuf.Duration == type(duration("1s"))',
  ],
  ...[
    'type(quantity("1")) == type(quantity("2"))',
    'type(ip("1.2.3.4")) == net.IP',
    'net.CIDR',
    'type(url("http://a"))',
    'type(semver("1.2.3"))',
  ],
  ...[
    'type(d)',
    'type(d.a)',
    'type(l)',
    'type(n)',
    'dyn',
    'type(dyn(1))',
    'int(1) + 1',
    'string == type("a")',
    'type(format.dns1123Label())',
  ],
  ...[
    'google.protobuf.Int64Value{value: 5}',
    'google.protobuf.Duration{seconds: 5, nanos: 7}',
    'google.protobuf.Timestamp{seconds: 5}',
  ],
  ...[
    'google.protobuf.StringValue{}',
    'google.protobuf.Value{string_value: "a"}',
    'google.protobuf.BoolValue{value: 1}',
    'foo.Bar{a: 1}',
  ],
  ...[
    'google.protobuf.Int64Value{other: 5}',
    'int{}',
    '{}{}',
    'google.protobuf.UInt32Value{value: 5u}',
    'google.protobuf.ListValue{values: [1]}',
  ],
];

const texts = [
  ...[
    '"a".contains("a")',
    '"abc".contains("")',
    '"a".contains("b")',
    '"a".startsWith("a")',
    '"a".endsWith("b")',
    '"".startsWith("")',
  ],
  ...[
    '"a".contains(1)',
    'dyn("a").contains(dyn(1))',
    'dyn(1).contains("a")',
    '"abc".matches("b")',
    '"abc".matches("^b")',
    'matches("abc", "a.c")',
  ],
  ...[
    '"a".matches("(")',
    '"a".matches(s + "(")',
    'matches(s, "[")',
    '"a".matches("\\\\d")',
    '"\u00e9".matches("^.$")',
    'dyn("a").matches("a")',
  ],
  ...[
    'dyn(1).matches("a")',
    '"a".matches(dyn(1))',
    '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".matches("(a+)+$")',
    '"abc" < "abd"',
    '"a" < "B"',
    '"\u{1f600}" > "\uffff"',
  ],
  ...[
    '"a" + "b" + s',
    'b"a" + b"b"',
    'b"a" < b"b"',
    'b"a" == b"a"',
    '"a" == s',
    '"\u00e9" == "e\u0301"',
    'bytes("\u00e9")',
    'string(b"\\xc3\\xa9")',
  ],
  ...[
    'string(b"\\xff")',
    '"a" + 1',
    'dyn("a") + 1',
    'dyn("a") + dyn("b")',
    'dyn(1) + dyn(2)',
    'dyn(1) + dyn(1u)',
    'dyn(true) + dyn(true)',
  ],
];

export function standardCases(): readonly string[] {
  return [
    ...ownPairs(),
    ...mixedPairs(),
    ...pairs(binary, ['1', 'dyn(1)'], ['1.5', '2u', 'd.a', 'd.n', 'd.b', 'd.big']),
    ...conversionCases(),
    ...timeCases(),
    ...timeArithmetic,
    ...logicCases(),
    ...[...selections, ...aggregates, ...macros, ...optionals, ...types, ...texts],
    ...some.map((value) => `type(${value})`),
    ...some.flatMap((value) => [`-${value}`, `${value} == ${value}`, `[${value}] == [${value}]`]),
  ];
}
