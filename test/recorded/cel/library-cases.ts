/** `receiver.method(arguments)` for each receiver and list of arguments. */
function members(method: string, receivers: readonly string[], args: readonly string[] = ['']): string[] {
  return receivers.flatMap((receiver) => args.map((each) => `${receiver}.${method}(${each})`));
}

function globals(name: string, args: readonly string[]): string[] {
  return args.map((each) => `${name}(${each})`);
}

const texts = ['""', '"abc"', '"a-b-c"', '"  A\u00c9z \\n"', '"\u{1f600}\u{1f600}x"', '"aaaa"'];

const strings = [
  ...members('charAt', texts, ['0', '1', '4', '-1', '99']),
  ...members('indexOf', texts, ['"a"', '""', '"-"', '"x"', '"c", 1', '"", 9', '"a", -1', '"\u{1f600}", 1', '"a", 2']),
  ...members('lastIndexOf', texts, [
    '"a"',
    '""',
    '"-"',
    '"x"',
    '"a", 1',
    '"", 9',
    '"a", -1',
    '"\u{1f600}", 1',
    '"abcdefgh"',
  ]),
  ...members('lowerAscii', texts),
  ...members('upperAscii', texts),
  ...members('replace', texts, [
    '"a", "b"',
    '"", "x"',
    '"a", ""',
    '"-", "+", 1',
    '"", "_", 2',
    '"a", "bb", 0',
    '"a", "b", -1',
    '"", "y", 9',
  ]),
  ...members('split', texts, ['"-"', '""', '"-", 0', '"-", 1', '"-", 2', '"-", -1', '"", 2', '"x"', '"a", 9']),
  ...members('substring', texts, ['0', '1', '9', '-1', '0, 1', '1, 0', '1, 2', '0, 99', '-1, 1']),
  ...members('trim', texts),
  ...members('trim', ['"\\t\\u0085 a \\u00a0\\u3000"', '"\\ufeffa"', '"\\u2003"']),
  ...members(
    'join',
    ['["a", "b"]', '[]', '["a"]', '[dyn(1)]', '[1]', 'd.c', '["\u00e9", ""]'],
    ['', '"-"', '"ab"', '1'],
  ),
  ...globals('strings.quote', [...texts, '"\\a\\b\\f\\n\\r\\t\\v\\\\\\""', '"\\u0001\\u0080"', 's', '1']),
  ...members('reverse', ['"abc"', '[1, 2, 3]', '[]']),
  ...members('charAt', ['s', 'd.b', 'dyn(1)'], ['0', 'd.a', 'dyn("x")']),
  ...members('replace', ['s'], ['s, "a"', 'd.b, s', '1, 2', '"a"']),
];

const formatted = [
  ...[
    '1',
    '-5',
    '1u',
    '1.5',
    '-1234567.891',
    '0.0',
    '1e-7',
    '1e25',
    '"a"',
    'b"a"',
    'true',
    'null',
    '[1, 2.5, "x", null]',
    '{"a": 1.5, "b": [true]}',
  ],
  ...[
    '{1: "a", 2: "b"}',
    'duration("90s")',
    'timestamp("2023-01-02T03:04:05Z")',
    'type(1)',
    'double("NaN")',
    'double("Infinity")',
    'optional.of(1)',
  ],
  ...[
    '[duration("1s"), timestamp(0)]',
    '[b"x", double("NaN")]',
    'd',
    'l',
    'd.n',
    'dyn(1.5)',
    'd.a',
    'quantity("1")',
    '[quantity("1")]',
    '{1.5: 2}',
  ],
];
const clauses = ['%s', '%d', '%f', '%.2f', '%.0f', '%e', '%.3e', '%b', '%x', '%X', '%o'];

const formats = [
  ...clauses.flatMap((clause) =>
    members(
      'format',
      [`"${clause}"`],
      formatted.map((value) => `[${value}]`),
    ),
  ),
  ...members(
    'format',
    [
      '"%s %s"',
      '"%%"',
      '"a%sb%%c%d"',
      '"%"',
      '"%."',
      '"%.5"',
      '"%q"',
      '"%s%"',
      '"%.x"',
      '"\u00e9%s\u00e9"',
      '""',
      '"%z"',
    ],
    [...['[]', '[1]', '[1, 2]', '["a", 2]', '[1, 2, 3]', 'l', 'd.c', 'dyn([1])', '1']],
  ),
  ...members(
    'format',
    ['s', '(s + "%d")', '(s + "%q")', '(s + "%")', '(s + "%s %s")', '(s + "%x %X")'],
    ['[1]', '["a", "b"]', '[d, l]', '[]'],
  ),
];

const lists = [
  '[]',
  '[1]',
  '[3, 1, 2]',
  '[1, 2, 2, 3]',
  '[2.5, 1.0]',
  '["b", "a"]',
  '[1u, 3u]',
  '[true, false]',
  '[duration("2s"), duration("1s")]',
];
const otherLists = [
  '[timestamp(1), timestamp(0)]',
  '[b"b", b"a"]',
  'l',
  'd.c',
  '[dyn(1), dyn("a")]',
  '[double("NaN"), 1.0]',
  '[[1]]',
  '[null]',
];

const listCases = [
  ...['isSorted', 'sum', 'min', 'max', 'reverse', 'flatten', 'first', 'last'].flatMap((name) =>
    members(name, [...lists, ...otherLists, 's', 'd']),
  ),
  // For non-lists the reference panics while it estimates the cost of the call.
  ...['sort', 'distinct'].flatMap((name) => members(name, [...lists, ...otherLists])),
  ...['indexOf', 'lastIndexOf', 'includes'].flatMap((name) =>
    members(name, [...lists, 'l', 'd.c', 'd.a'], ['1', '2', '"a"', '2.0', 'd.a']),
  ),
  ...members('includes', ['"a"', '1', 'null', '{"a": 1}'], ['"a"', '1.0', 'null', '{"a": 1}']),
  ...members('slice', ['[1, 2, 3]', 'l', '[]'], ['0, 0', '0, 2', '1, 3', '2, 1', '-1, 1', '0, 9', 'd.a, 2', '0']),
  ...members(
    'flatten',
    ['[[1], [2, [3]]]', '[[[1]], [[2]]]', '[1, [2]]', '[]', 'd.c'],
    ['', '0', '1', '2', '-1', '"a"'],
  ),
  ...globals('lists.range', ['0', '3', '-1', 'd.a', '1000001', '"a"', '100000']),
  ...members(
    'sortBy',
    ['[3, 1, 2]', '["bb", "a"]', 'l', '[]', '{"a": 1}', '"abc"'],
    ['x, x', 'x, "a"', '1, 2', 'x, [x]'],
  ),
  '[3, 1, 2].sortBy(x, -x)',
  '["bb", "a"].sortBy(x, size(x))',
  'd.c.sortBy(x, x)',
  '[{"a": 2}, {"a": 1}].sortBy(m, m.a)',
  '[1, 2, 3, 4].sortBy(x, x % 2)',
  ...['contains', 'equivalent', 'intersects'].flatMap((name) =>
    globals(`sets.${name}`, [
      '[], []',
      '[1], []',
      '[1, 2], [2]',
      '[1], [1, 1]',
      '[1, 2], [2, 1]',
      '[1], ["a"]',
      '[1], [1.0]',
      'l, [1]',
      'd.c, ["y"]',
      '[[1]], [[1]]',
      '1, 2',
      '[{"a": 1}], [{"a": 1}]',
    ]),
  ),
];

const regexes = [
  ...members('find', ['"abc 123"', '""', 's'], ['"[0-9]+"', '"x"', '""', '"("', 's + "("', '"(?i)ABC"', '"\\\\w+$"']),
  ...members(
    'findAll',
    ['"a1b22c333"', '""', 's'],
    ['"[0-9]+"', '"[0-9]+", 2', '"[0-9]+", 0', '"[0-9]+", -1', '"x*"', '"["', 's + "["', '"t", d.a'],
  ),
  ...members(
    'matches',
    ['"abc"', 's'],
    [
      '"^[a-z]+$"',
      '"\\\\p{L}+"',
      '"\\\\p{Foo}"',
      '"a{1001}"',
      '"(?P<n>a)"',
      '"(?=a)"',
      '"\\\\1"',
      's',
      '"[[:alpha:]]"',
      '"a**"',
    ],
  ),
];

const urls = [
  ...[
    'http://user:pass@example.com:8080/a%20b/c?x=1&x=2&y=%20z&bad=%zz;q#frag',
    'https://example.com',
    'http://[::1]:80/',
    '/path?a=b',
    'mailto:a@b',
  ],
  ...[
    '//host/path',
    'example.com',
    '',
    '*',
    'http://',
    'http://a b',
    'http://a/%zz',
    ':a',
    'a:b',
    'HTTP://UPPER/',
    'http://example.com:port/',
    'http://[::1',
  ],
  ...[
    'http://\u00e9.com/\u00e9',
    'http://a/?',
    'file:///etc/passwd',
    'http://a/b//c/../d',
    'http://a.b:/x',
    '/a?x&=y&z=',
    'http://a/%2F%41',
    'x://y?q=a+b',
  ],
];
const urlCases = [
  ...urls.flatMap((url) => [`isURL(${JSON.stringify(url)})`, `url(${JSON.stringify(url)})`]),
  ...['getScheme', 'getHost', 'getHostname', 'getPort', 'getEscapedPath', 'getQuery'].flatMap((name) =>
    members(
      name,
      urls.map((url) => `url(${JSON.stringify(url)})`),
    ),
  ),
  'url("http://a") == url("http://a")',
  'url("http://a") == url("http://b")',
  'url("http://a") == dyn("http://a")',
  'url("http://a") != url("http://b")',
  'isURL(1)',
  'url("http://a/x y").getEscapedPath()',
  'string(url("http://a"))',
  'dyn(1).getHost()',
];

const addresses = [
  ...[
    '127.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '224.0.0.1',
    '224.0.1.1',
    '169.254.1.1',
    '10.0.0.1',
    '::',
    '::1',
    'fe80::1',
    'ff02::1',
    'fd00::1',
  ],
  ...[
    '2001:db8::abcd',
    '2001:DB8::ABCD',
    '2001:db8:0:0:0:0:0:1',
    '::ffff:1.2.3.4',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '256.1.1.1',
    '1.2.3.x',
    'fe80::1%eth0',
  ],
  ...[
    'fe80::1%',
    '',
    'abc',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '::1::2',
    '12345::',
    ':1',
    '1:',
    '::1.2.3.4',
    '1.2..3',
    '1.2.3.',
    'g::',
    '1::2:3:4:5:6:7:8',
  ],
  ...['::1:2:3:4:5:6:7:8', '1:2:3:4:5:6:1.2.3.4', '1:2:3:1.2.3.4', '%', 'ff01::1', '::ffff:0:1'],
];
const networks = [
  ...[
    '10.0.0.0/8',
    '192.168.0.1/24',
    '0.0.0.0/0',
    '1.2.3.4/32',
    '::/0',
    '2001:db8::/32',
    'fe80::1/128',
    '10.0.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/-1',
  ],
  ...[
    '10.0.0.0/08',
    '10.0.0.0/x',
    '10.0.0.0/',
    '/8',
    '10.0.0/8',
    '::ffff:1.2.3.4/120',
    'fe80::1%eth0/64',
    '10.0.0.0/8/9',
    '',
    '10.0.0.0/+8',
  ],
];
const quotedAddresses = addresses.map((each) => JSON.stringify(each));
const quotedNetworks = networks.map((each) => JSON.stringify(each));

const addressCases = [
  ...['ip', 'isIP', 'ip.isCanonical'].flatMap((name) => globals(name, quotedAddresses)),
  ...['family', 'isUnspecified', 'isLoopback', 'isLinkLocalMulticast', 'isLinkLocalUnicast', 'isGlobalUnicast'].flatMap(
    (name) =>
      members(
        name,
        quotedAddresses.slice(0, 15).map((each) => `ip(${each})`),
      ),
  ),
  ...['cidr', 'isCIDR'].flatMap((name) => globals(name, quotedNetworks)),
  ...['ip', 'masked', 'prefixLength'].flatMap((name) =>
    members(
      name,
      quotedNetworks.slice(0, 7).map((each) => `cidr(${each})`),
    ),
  ),
  ...members(
    'containsIP',
    quotedNetworks.slice(0, 7).map((each) => `cidr(${each})`),
    ['"10.1.2.3"', 'ip("10.1.2.3")', '"::1"', '"bad"', 'ip("2001:db8::1")', '1'],
  ),
  ...members(
    'containsCIDR',
    quotedNetworks.slice(0, 7).map((each) => `cidr(${each})`),
    ['"10.0.0.0/16"', 'cidr("10.0.0.0/16")', '"::/64"', '"bad"', 'cidr("0.0.0.0/0")'],
  ),
  ...[
    'string(ip("::1"))',
    'string(cidr("10.0.0.0/8"))',
    'ip("1.2.3.4") == ip("1.2.3.4")',
    'ip("1.2.3.4") != ip("1.2.3.5")',
    'ip("::1") == dyn("::1")',
  ],
  ...[
    'cidr("10.0.0.0/8") == cidr("10.0.0.0/8")',
    'cidr("10.0.0.1/8") == cidr("10.0.0.0/8")',
    'cidr("10.0.0.1/8").masked() == cidr("10.0.0.0/8")',
    'ip(1)',
    'ip(dyn(1))',
  ],
  ...[
    '[ip("1.2.3.4")] == [ip("1.2.3.4")]',
    'ip("1.2.3.4") in [ip("1.2.3.4")]',
    'size(ip("1.2.3.4"))',
    'type(ip("1.2.3.4"))',
    'string(dyn(ip("::1")))',
  ],
];

const quantities = [
  '1',
  '1.5G',
  '200k',
  '-5',
  '0',
  '1Ki',
  '1.5Mi',
  '100m',
  '1n',
  '0.1n',
  '1e3',
  '1E',
  '9223372036854775807',
  '9223372036854775808',
  '1e30',
  '12345678901234567890',
  '1.50',
  '0.0',
  '-0',
  '1000000000G',
  '8Ei',
  '5E3',
];
const badQuantities = [
  '',
  'x',
  '1K',
  '1 k',
  'Mi',
  '1,5',
  '--1',
  '1.2.3',
  '1e',
  '1ki',
  '0x1',
  '+',
  '.',
  '1e99999999999',
];
const quoted = quantities.map((each) => `quantity("${each}")`);
const quantityCases = [
  ...[...quantities, ...badQuantities].flatMap((each) => [`quantity("${each}")`, `isQuantity("${each}")`]),
  ...['isInteger', 'asInteger', 'asApproximateFloat', 'sign'].flatMap((name) => members(name, quoted)),
  ...['add', 'sub'].flatMap((name) =>
    members(name, quoted, ['quantity("1")', 'quantity("1Mi")', 'quantity("1n")', '5', '-9223372036854775808']),
  ),
  ...['isGreaterThan', 'isLessThan', 'compareTo'].flatMap((name) =>
    members(name, quoted, ['quantity("1")', 'quantity("1e3")', 'quantity("1Gi")']),
  ),
  ...[
    'quantity("1") == quantity("1000m")',
    'quantity("1") != quantity("2")',
    'quantity("1") == dyn(1)',
    'quantity("1") < quantity("2")',
    'quantity(1)',
    'quantity("1").add("1")',
  ],
  ...[
    '[quantity("1")] == [quantity("1")]',
    'quantity("1") in [quantity("1")]',
    'sign(quantity("-1"))',
    'sign(quantity("0"))',
    'string(quantity("1"))',
    'dyn(1).add(1)',
  ],
  ...[
    'quantity("50k").add(20).sub(quantity("100k")).sub(-50000) == quantity("20")',
    'quantity("1").asInteger() + 1',
    'quantity("500m").add(quantity("500m")).isInteger()',
  ],
];

const versions = [
  '1.2.3',
  '0.0.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-1',
  '1.0.0+build.5',
  '1.0.0-rc.1+b',
  '10.20.30',
  '18446744073709551615.0.0',
  '1.0.0-beta.11',
];
const badVersions = [
  '',
  '1',
  '1.2',
  'v1.2.3',
  '01.2.3',
  '1.02.3',
  '1.2.03',
  '1.2.x',
  'x.1.2',
  '1.x.2',
  '1.2.3-',
  '1.2.3-a..b',
  '1.2.3+',
  '1.2.3-01',
  '1.2.3-\u00e9',
  '1.2.3+a_b',
  '1.2.3.4',
  '99999999999999999999.0.0',
  '..',
  'v',
  '1-a',
  '1.2.3 ',
];
const semverCases = [
  ...[...versions, ...badVersions].flatMap((each) => [
    `semver("${each}")`,
    `isSemver("${each}")`,
    `semver("${each}", true)`,
    `isSemver("${each}", true)`,
  ]),
  ...['major', 'minor', 'patch'].flatMap((name) =>
    members(
      name,
      versions.map((each) => `semver("${each}")`),
    ),
  ),
  ...['isGreaterThan', 'isLessThan', 'compareTo'].flatMap((name) =>
    members(
      name,
      versions.map((each) => `semver("${each}")`),
      ['semver("1.0.0")', 'semver("1.0.0-alpha.2")', 'semver("1.0.0-beta.2")', 'semver("1.0.0+x")'],
    ),
  ),
  ...[
    'semver("1.2.3", false)',
    'semver("v1", d.e.f)',
    'semver("1.0.0") == semver("1.0.0+x")',
    'semver("1.0.0") != semver("1.0.1")',
    'semver(1)',
    'semver("1.0.0") == dyn(1)',
    'isSemver("a", 1)',
  ],
];

const formatNames = [
  'dns1123Label',
  'dns1123Subdomain',
  'dns1035Label',
  'qualifiedName',
  'dns1123LabelPrefix',
  'dns1123SubdomainPrefix',
  'dns1035LabelPrefix',
  'labelValue',
  'uri',
  'uuid',
  'byte',
  'date',
  'datetime',
];
const formatTexts = [
  '',
  'abc',
  'a-',
  '-a',
  'a.b',
  'A',
  '1a',
  'a/b',
  'a_b',
  'http://a',
  '2021-01-01',
  '2021-01-01T00:00:00Z',
  'aGk=',
  '123e4567-e89b-12d3-a456-426614174000',
  'a'.repeat(64),
];
const formatCases = [
  ...formatNames.flatMap((name) => [
    `format.${name}()`,
    ...formatTexts.map((text) => `format.${name}().validate("${text}")`),
  ]),
  ...globals('format.named', [...formatNames.slice(0, 3).map((name) => `"${name}"`), '"foo"', '""', 's', '1']),
  ...[
    'format.named("uuid").value().validate("x")',
    'format.named("x").hasValue()',
    'format.uuid() == format.uuid()',
    'format.uuid() == format.uri()',
    'format.uuid() == dyn(1)',
    'format.foo()',
  ],
  ...[
    'format.named("uuid").value() == format.uuid()',
    'format.dns1123Label().validate(s).hasValue()',
    'format.dns1123Label().validate("A").value().join("; ")',
    'format.uuid().validate(1)',
    'format',
  ],
];

export function libraryCases(): readonly string[] {
  return [
    ...[...strings, ...formats, ...listCases, ...regexes, ...urlCases, ...addressCases],
    ...[...quantityCases, ...semverCases, ...formatCases],
  ];
}
