const literals = [
  ...['0x1F', '0xG', '0x7fffffffffffffff', '0x8000000000000000', '-0x8000000000000000', '-0x8000000000000001', '9223372036854775808', '-9223372036854775809', '1u', '0xFFu', '18446744073709551616u'],
  ...['1e5', '1e', '.5', '5.', '1.5e-3', '1e400', '-.5', '--1', '---1', '- 1', '-(-1)', '!true', '!!true', '!-1', '-!true', '1_0', '007', '1.5u', '0x'],
  ...[`'a'`, `"a'b"`, `'a"b'`, `'''a'b'''`, `"""a"b"""`, `r"\\d"`, `R'\\d'`, `b"a"`, `B'a'`, `br"\\d"`, `rb"a"`, `"\\u00e9"`, `"\\U0001F600"`, `"\\x41"`, `"\\101"`, `"\\ud800"`],
  ...[`"\\U00110000"`, `b"\\u00e9"`, `b"\\xff\\377"`, `b"\u00e9"`, `"\\400"`, `"\\q"`, `"\\x4"`, `"abc`, `'abc`, `"""abc`, `"a\nb"`, `"""a\nb"""`, `'''\\''''`, `r'''a\\'''`, `"\\a\\b\\f\\n\\r\\t\\v\\\\\\?\\"\\'\\\``],
  ...['true', 'false', 'null', 'TRUE', 'True', 'nul', '[1,]', '[,]', '{,}', '{1: 2,}', '[1,,2]', '{1: 2 3: 4}', '[,1]', '{"a"}', '{:1}', '{1:}', '// comment', '1 // comment', '1 // c\n + 2', '/* a */ 1'],
];

const broken = [
  ...['', ' ', '\n', '1 +', '+ 1', '1 + + 2', '1 2', '(1', '1)', '((1)', '()', '(', ')', '[1', '[1 2]', '{', '}', '{1', '{1: 2', 'a.', 'a..b', '.', '..', 'a.1', 'a.b.', 'a[', 'a[]', 'a[1', 'a]'],
  ...['foo(', 'foo(1', 'foo(1,', 'foo(,)', 'foo(1,)', 'foo(1 2)', 'foo)', 'a.b(', 'a.b(1', 'a.b(1,', 'a.b(,', 'true ?', 'true ? 1', 'true ? 1 :', 'true ? : 2', '? 1 : 2', 'true ? 1 : 2 : 3', 'true ?? 1', '1 ? 2 : 3 ? 4'],
  ...['a &&', '&& a', 'a && && b', 'a & b', 'a &', 'a || ', '|| a', 'a | b', 'a = b', 'a == ', '== a', 'a === b', 'a != ', 'a ! b', '!', '-', '!!', 'a <', '< a', 'a <> b', 'a => b', 'a in', 'in a', 'a in in b', 'in'],
  ...['a % ', '% a', 'a * * b', 'a / / b', 'a - - b', 'a ++ b', '1 +* 2', 'a @ b', '@', '#', '$a', 'a$', 'a\\b', '\\', '`a`', 'a.`b c`', 'a.`b', 'a.`', 'a.``', 'a.`b!`', '~a', 'a ^ b', '\u00e9', 'a.\u00e9', '\u{1f600} + 1', '"\u{1f600}" + '],
  ...['if', 'for', 'while(true)', 'let x = 1', 'var', 'return 1', 'a.if', 'a.for', 'a.true', 'a.null', 'a.in', 'namespace', 'a.namespace', 'if(a) && b', 'package.a', 'import', 'as', 'function(x)', 'loop + 1', 'void', 'const', 'break', 'continue', 'else'],
  ...['a.?b', 'a.?', 'a?.b', 'a[?', 'a[?1', 'a.??b', '[?', '[?a', '{?', '{?a', '{?a: 1', 'a.?b.c(1)', 'a.?b(1)', 'Foo{', 'Foo{a', 'Foo{a:', 'Foo{a: 1', 'Foo{1: 2}', 'a.b.Foo{}', '.Foo{}', 'Foo{a: 1,}', 'Foo{,}', 'Foo{a 1}', 'Foo{?a: 1}'],
  ...['a.b[1].c(2).d{', '{"a": 1}.a{', '1{', '"a"{}', 'a;b', 'a, b', '"a" "b"', 'a b c', '1 + (2 * 3', '[1, (2]', '{"a": [1}', 'foo(bar(1)', 'foo((1)', 'has(a.b', 'has()', 'has(a.b, c)', 'a.map(', 'a.map(x', 'a.map(x,', 'a.map(x, y', 'a.map(,)'],
  ...['1 +\n', '\n\n1 +', 'a &&\n  b &&\n  ', 'a\n.b\n.', '\ta +', '(\n1\n', '"a\n', 'foo(\n1,\n\n)', 'a || (b && c', 'a + b) + c', 'a ? b : c)', 'x.y.z(1, 2, 3', '1 + 2 3 + 4', '1 2 3 4', 'a b && c d', ') ) )', '( ( (', '+ + +', '] [', '}{'],
  ...['@ # $', 'a @ b # c', '"unterminated + 1', "'a' + 'b", 'a.b.c.d.', 'self.a == "x && self.b', 'self.a == \'x" && self.b', 'self.x =~ "a"', 'self.a and self.b', 'not self.a', 'self.a or self.b', 'self.a is null', 'size self.a', 'self.a.size)', 'self.items.all(i, i > 0'],
];

const semantic = [
  ...['undeclared', 'undeclared + 1', 'undeclared.a.b', 'undeclared(1)', 's.undeclared()', 'a + b + c', '1 + "a"', '"a" + 1', '1 + 1u', '1u + 1.0', '!1', '-"a"', '-1u', '1 && true', 'true || "a"', '1 ? 2 : 3', '"a" ? 1 : 2', 'true ? 1 : "a"', 's[', '[1][true]'],
  ...['"a" in 1', '1 in "a"', '1 < "a"', '[1] < [2]', 'null < null', '{} < {}', 'size()', 'size(1, 2)', '"a".startsWith()', '"a".startsWith(1)', '"a".startsWith("b", "c")', 'startsWith("a", "b")', '1.startsWith("a")', 'int.foo', 'int()', 'type()', 'has(a)', '[1].map(x)'],
  ...['[1].map(x, y, z, w)', '"a".foo.bar', 's.size', 'd.a()', 'd.a.b()', '[1, "a", true, null]', '{"a": 1, 2: "b"}', '[1, 2, "a", "b"]', '[1].all(x, x + "a")', '[1].all(x, 5)', '["a"].exists(x, x > 1)', '[1].map(x, x, x)', '[[1], ["a"]].map(x, x[0])'],
  ...['[1].filter(x, "a")', '(1 + 2', 'duration("x")', 'duration("1h") + 1', 'timestamp("x")', 'timestamp("2023-01-01T00:00:00Z") + timestamp(0)', 'timestamp("2023-01-01T00:00:00Z") - 5', '"a".matches("[")', 'matches("[", "a")', '"a".find("[")', 'd.all(x, y)'],
  ...['true && 1 && "a"', '(true && 1) || ("a" && false)', 'a.b || c.d', 'a.b.c(d.e)', '[a, b, c]', '{a: b}', 'a ? b : c', '[x, y].all(z, w)', 'has(q.r)', 'foo.bar.baz()', 'optional.foo(1)', 'sets.foo([1], [2])', 'strings.foo("a")', 'ip.foo("a")', 'format.bar()', 'math.abs(1)', 'cel.bind(x, 1, x)'],
];

function deep(): string[] {
  const nest = (open: string, inner: string, close: string, count: number): string => `${open.repeat(count)}${inner}${close.repeat(count)}`;
  return [
    ...[10, 48, 49, 50, 51, 123, 124, 125, 126, 248, 249, 250, 251, 300].flatMap((count) => [
      nest('(', '1', ')', count),
      nest('[', '1', ']', count),
      nest('{1: ', '1', '}', count),
      `1${' + 1'.repeat(count)}`,
      `${'1 + ('.repeat(count)}1${')'.repeat(count)}`,
      `d${'.a'.repeat(count)}`,
      `d${'[0]'.repeat(count)}`,
      `${'!'.repeat(count)}true`,
      `${'-'.repeat(count)}1`,
      `${'true ? 1 : '.repeat(count)}2`,
      `true${' && true'.repeat(count)}`,
      `1${' < 1'.repeat(count)}`,
      nest('size([', '1', '])', count),
      nest('dyn(', '1', ')', count),
      `${'true == ('.repeat(count)}true${')'.repeat(count)}`,
      `"a"${'.trim()'.repeat(count)}`,
    ]),
    `"${'a'.repeat(99_990)}"`,
    `"${'a'.repeat(100_000)}"`,
    `"${'\u{1f600}'.repeat(50_001)}"`,
  ];
}

const tokens = ['a', '1', '"s"', '+', '-', '!', '.', '(', ')', '[', ']', '{', '}', ',', ':', '?', '&&', '==', 'in', '.?', '*'];

/** Short sequences of tokens, all of two and some of three to six. */
function sequences(): string[] {
  const found = tokens.flatMap((a) => tokens.map((b) => `${a} ${b}`));
  let state = 12345;
  const next = (below: number): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return Math.floor((state / 2147483648) * below);
  };
  for (let count = 0; count < 700; count += 1) {
    const length = 3 + next(5);
    found.push(Array.from({ length }, () => tokens[next(tokens.length)] ?? '').join(' '));
  }
  return found;
}

export function syntaxCases(): readonly string[] {
  return [...literals, ...broken, ...semantic, ...deep(), ...sequences()];
}
