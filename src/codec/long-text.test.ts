import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { finish } from '../api/turns.ts';
import { longestStepMs } from '../../test/cpu-time.ts';
import { parseJson, readDeepJson } from './json.ts';
import { longTextBytes, readLongText } from './long-text.ts';

const whole = (json: string): string =>
  finish(readLongText(Buffer.from(json), { start: 0, end: Buffer.byteLength(json) }));

/** What a cut may hit, after a text that puts it anywhere near a cut. */
const texts = fc.record({
  before: fc.integer({ min: 128 * 1024 - 40, max: 128 * 1024 + 5 }),
  parts: fc.array(fc.constantFrom('\\', 'a', 'u', 'é', '€', '😀', '"', '\n', '\u0001', 'ud83d'), { maxLength: 60 }),
});

describe('long strings', () => {
  test('are what JSON.parse returns, wherever they are cut', () => {
    fc.assert(
      fc.property(texts, ({ before, parts }) => {
        const text = `${'x'.repeat(before)}${parts.join('')}${'y'.repeat(1024)}`;
        const json = JSON.stringify(text);
        expect(whole(json) === text).toBe(true);
        const escaped = json.replaceAll('é', '\\u00e9').replaceAll('😀', '\\ud83d\\ude00');
        expect(whole(escaped) === text).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test.each(['\\', '\n', 'é', 'a'])('of %j alone take linear time', (part) => {
    const text = part.repeat(1_000_000);
    expect(whole(JSON.stringify(text)) === text).toBe(true);
  });

  test.each(['"', '\n', '\\x', '\\'])('with a fault %j are refused', (fault) => {
    const text = 'a'.repeat(longTextBytes);
    expect(() => parseJson(Buffer.from(`{"a":"${text}${fault}"}`))).toThrow(/invalid|unexpected/);
  });

  test('invalid bytes are replaced one by one', () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(longTextBytes * 2, 0x80), Buffer.from('"}')]);
    expect(parseJson(bytes).value).toEqual({ a: '\ufffd'.repeat(longTextBytes * 2) });
  });

  test('may be anywhere', () => {
    const text = 'a'.repeat(longTextBytes);
    const values = [text, [1, text, 2], { a: text, b: [text], [text]: text, c: 1 }, [text, text], [[text], null]];
    for (const value of values) expect(parseJson(Buffer.from(JSON.stringify(value))).value).toEqual(value);
    for (const json of [`["${text}" 1]`, `{"a" "${text}"}`, `["${text}",]`, `{"${text}"}`, `["${text}"}`]) {
      expect(() => parseJson(Buffer.from(json))).toThrow(/invalid|unexpected/);
    }
  });

  test('are read with pauses', () => {
    const bytes = Buffer.from(JSON.stringify({ a: 'ab/='.repeat(5_000_000) }));
    const boundMs =
      longestStepMs(
        () => atOnce(bytes),
        () => false,
      ) / 3;
    expect(
      longestStepMs(
        () => readDeepJson(bytes),
        (ms) => ms < boundMs,
      ),
    ).toBeLessThan(boundMs);
  });
});

function* atOnce(bytes: Buffer): Generator<undefined, unknown> {
  yield;
  return JSON.parse(bytes.toString());
}
