import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuTimeMs, longestStepMs } from '../../test/cpu-time.ts';
import { onThisMachineMs } from '../../test/slowness.ts';
import { finish, inTurns } from '../api/turns.ts';
import { readTyped } from '../schema/decode.ts';
import { schemaOfKind } from '../schema/kubernetes/definitions.ts';
import { BodyLimitError, maxCollections } from './body-limits.ts';
import { parseJson, readDeepJson } from './json.ts';
import { countKeys, parsePieces } from './json-pieces.ts';
import { JsonSyntaxError } from './json-syntax.ts';

const pieces = (text: string): unknown => finish(parsePieces(Buffer.from(text)))?.value;
const long = (count: number, item: string): string => Array.from({ length: count }, () => item).join(',');
const large = `[${long(3_000, '"abcdefgh"')}]`;

/** JSON with collections of all sizes, and blanks wherever allowed. */
const texts = fc.letrec<{ value: string; list: string; object: string }>((tie) => {
  const blank = fc.constantFrom('', '', ' ', '\n\t');
  const key = fc.constantFrom('a', 'b', 'ü', '__proto__', '7', 'a"\\b').map((text) => JSON.stringify(text));
  const scalar = fc.constantFrom('1', '"x"', 'null', '"[{,\\""', `"${'y'.repeat(20_000)}"`);
  const value = fc.oneof({ depthSize: 'small' }, scalar, tie('list'), tie('object'));
  return {
    value,
    list: fc
      .tuple(blank, fc.array(value, { maxLength: 5 }))
      .map(([gap, items]) => `[${gap}${items.join(`,${gap}`)}${gap}]`),
    object: fc
      .tuple(blank, fc.array(fc.tuple(key, value), { maxLength: 5 }))
      .map(([gap, all]) => `{${gap}${all.map(([k, v]) => `${k}${gap}:${v}`).join(`${gap},`)}${gap}}`),
  };
}).object;

describe('parsePieces', () => {
  test('matches JSON.parse', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = finish(parsePieces(Buffer.from(text)));
        if (parsed === undefined) return;
        const expected = JSON.parse(text) as never;
        expect(parsed.value).toEqual(expected);
        expect(JSON.stringify(parsed.value)).toBe(JSON.stringify(expected));
        expect(parsed.keys).toBeGreaterThanOrEqual(countKeys(expected));
      }),
      { numRuns: 500 },
    );
  });

  test('tells the keys of huge objects, once each', () => {
    const members = Array.from({ length: 3_000 }, (_, index) => `"a${(index * 7919) % 2_900}":1`).join(',');
    const parsed = finish(parsePieces(Buffer.from(`{"small":{"b":1},"huge":{${members},"7":1,"__proto__":1}}`)));
    const told = [...(parsed?.hugeKeys ?? [])];
    expect(told).toHaveLength(1);
    const [object = {}, keys = []] = told[0] ?? [];
    expect(keys.toSorted()).toEqual(Object.keys(object).toSorted());
    expect(keys).toEqual(expect.arrayContaining(['a0', '7', '__proto__']));
  });

  test('saves decoders from enumerating the keys of huge objects', () => {
    const schema = schemaOfKind({ group: '', version: 'v1', kind: 'ConfigMap' });
    if (schema === undefined) throw new Error('no schema of config maps');
    const members = Array.from({ length: 200_000 }, (_, index) => `"k${index}":""`).join(',');
    const source = finish(readDeepJson(Buffer.from(`{"data":{${members}}}`)));
    const { data } = source.value as { readonly data: object };
    const enumerating = (): number => cpuTimeMs(() => Object.keys(data));
    const boundMs = Math.min(enumerating(), enumerating(), enumerating()) / 3;
    expect(
      longestStepMs(
        () => readTyped(schema, source),
        (ms) => ms < boundMs,
      ),
    ).toBeLessThan(boundMs);
    expect(finish(readTyped(schema, source)).object['data']).toEqual(data);
  });

  test('skips texts without large collections', () => {
    expect(pieces('{"a":[1,2]}')).toBeUndefined();
    expect(pieces(`"${'x'.repeat(100_000)}"`)).toBeUndefined();
  });

  test('keys inherited by every object are data', () => {
    const value = pieces(`{"__proto__":${large},"constructor":1}`) as object;
    expect(Object.keys(value)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test.each([
    ['[,LARGE]', "invalid character ',' looking for beginning of value"],
    ['[LARGE,]', "invalid character ']' looking for beginning of value"],
    ['[LARGE LARGE]', "invalid character '[' after array element"],
    ['[1 LARGE]', "invalid character '[' after array element"],
    ['[LARGE 1]', "invalid character '1' after array element"],
    ['[LARGE,,1]', "invalid character ',' looking for beginning of value"],
    ['{"a":LARGE', 'unexpected end of JSON input'],
    ['{"a":LARGE]', "invalid character ']' after object key:value pair"],
    ['{"a":LARGE,}', "invalid character '}' looking for beginning of object key string"],
    ['{"a" LARGE}', "invalid character '[' after object key"],
    ['{LARGE}', "invalid character '[' looking for beginning of object key string"],
    ['{"a":"b":LARGE}', "invalid character ':' after object key:value pair"],
    ['{"a":LARGE}x', "invalid character 'x' after top-level value"],
    ['LARGE LARGE', "invalid character '[' after top-level value"],
    ['[LARGE}', "invalid character '}' after array element"],
    [' LARGE"', "invalid character '\"' after top-level value"],
  ])('refuses %s like Go', (template, message) => {
    const text = template.replaceAll('LARGE', large);
    expect(() => parseJson(Buffer.from(text))).toThrow(new JsonSyntaxError(message));
  });

  test('duplicate keys are found wherever they are', () => {
    const far = Array.from({ length: 5_000 }, (_, i) => `"key-${i}":1`).join(',');
    expect(parseJson(Buffer.from(`{${far}}`)).faithful).toBe(true);
    expect(parseJson(Buffer.from(`{"key-4999":0,${far}}`)).faithful).toBe(false);
    expect(parseJson(Buffer.from(`{"a":${large},"b":[{"c":1,"c":2}]}`)).faithful).toBe(false);
  });

  test('nesting too deep for recursion is parsed, and not counted', () => {
    const depth = 9_000;
    const parsed = parsePieces(Buffer.from(`{"a":${'['.repeat(depth)}${']'.repeat(depth)},"b":${large}}`));
    expect(finish(parsed)?.keys).toBe(2);
  });

  test('refuses more objects and lists than a body may have, before creating them', () => {
    const held = maxCollections - 1;
    expect(pieces(`[${long(held, '{}')}]`)).toHaveLength(held);
    expect(() => pieces(`[${long(held + 1, '[]')}]`)).toThrow(BodyLimitError);
  });

  test('other work runs while 3 MB of small objects are parsed', async () => {
    const shapes = Array.from({ length: 120_000 }, (_, i) => `{"key-${i}":${i}}`).join(',');
    // CPU time: on a busy machine, turns wait for a core.
    let longestMs = 0;
    let usage = process.threadCpuUsage();
    const timer = setInterval(() => {
      const { user, system } = process.threadCpuUsage(usage);
      longestMs = Math.max(longestMs, (user + system) / 1000);
      usage = process.threadCpuUsage();
    }, 1);
    await inTurns(parsePieces(Buffer.from(`[${shapes}]`)));
    clearInterval(timer);
    expect(longestMs).toBeGreaterThan(0);
    expect(longestMs).toBeLessThan(onThisMachineMs(100));
  });
});

test('excessive nesting is reported before excessive size', () => {
  const deep = Buffer.from('['.repeat(200_000));
  expect(() => parseJson(deep)).toThrow('exceeded max depth');
});
