import { expect, test } from 'vitest';
import { cpuTimeRatio } from '../../../test/cpu-time.ts';
import { goQuote } from './go-quote.ts';

test.each([
  ['a"\\b', '"a\\"\\\\b"'],
  ['\0\u0007\n\u001b\u007f', '"\\x00\\a\\n\\x1b\\x7f"'],
  ['é\u00a0\u00ad\u2028\ufffd', '"é\\u00a0\\u00ad\\u2028\ufffd"'],
  ['\u{1f600}\u{e0001}\u{10ffff}', '"\u{1f600}\\U000e0001\\U0010ffff"'],
  ['a\ud800b\udc00', '"a\ufffdb\ufffd"'],
])('short and long texts are quoted alike: %j', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
  const times = 300;
  expect(goQuote(text.repeat(times))).toBe(`"${quoted.slice(1, -1).repeat(times)}"`);
  const filler = 'x'.repeat(times);
  expect(goQuote(filler + text + filler)).toBe(`"${filler}${quoted.slice(1, -1)}${filler}"`);
});

test.each(['\ufffd', 'a', '\0', '\u{1f600}'])('1 MB of %j is quoted quickly', (unit) => {
  const text = unit.repeat(1_000_000 / unit.length);
  expect(cpuTimeRatio(() => goQuote(text), 100, 3)).toBeLessThan(1);
});
