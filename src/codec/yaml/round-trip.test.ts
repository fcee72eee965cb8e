import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../api/json/json.ts';
import { encodeAny } from '../../api/json/json-text.ts';
import { plainOf } from '../../api/json/json-tree.ts';
import { parseJsonTree } from '../json-tree-parser.ts';
import { YamlError } from './error.ts';
import { parsePlainJson } from './plain-json.ts';
import { parseYaml } from './read.ts';
import { encodeYaml } from './write.ts';

/** Strings that YAML could read as something else. */
const anyText = fc.oneof(
  fc.constantFrom(
    'yes',
    'n',
    '~',
    '',
    '0x1',
    '1e3',
    '.5',
    '1:30',
    '2001-01-01',
    '<<',
    '- a',
    '? a',
    'a: b',
    'a #b',
    '---',
    '...',
    '|',
    '&a',
    '*a',
    '!a',
    "it's",
    '"',
  ),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\t',
      '\r',
      '#',
      ':',
      '-',
      "'",
      '"',
      '\\',
      '\u0085',
      '\u2028',
      '\ufeff',
      '\u{1f600}',
      '\u00e9',
      '\u0000',
      '\u007f',
    ),
    maxLength: 12,
  }),
  fc.string({ unit: fc.constantFrom('word ', 'x', ' ', 'longer-word '), maxLength: 60 }),
  fc.string({ unit: 'grapheme' }),
);

/** Excludes characters that the reference loses or cannot write: it parses its JSON as YAML. */
const oddTexts = anyText.filter((text) => !/[\u007f-\u009f\ufffe\uffff]/.test(text));

const trees = fc.letrec<{ tree: JsonValue }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e21, 1e-7, 123456.75, 9007199254740993n, -9223372036854775808n),
    oddTexts,
    fc.array(tie('tree'), { maxLength: 4 }),
    // Nor does the reference quote it.
    fc.dictionary(
      oddTexts.filter((key) => key !== '<<'),
      tie('tree'),
      { maxKeys: 4, noNullPrototype: true },
    ),
  ),
})).tree;

describe('our YAML', () => {
  it('round-trips', () => {
    fc.assert(
      fc.property(trees, (value) => {
        const read = plainOf(parseYaml(Buffer.from(encodeYaml(encodeAny(value)))).tree);
        expect(encodeAny(read)).toBe(encodeAny(value));
      }),
      { numRuns: 1500 },
    );
  });
});

describe('parseYaml', () => {
  it('reads JSON as JSON', () => {
    // YAML escapes have no surrogates, and a slash has no escape.
    const plain = fc.jsonValue({ maxDepth: 4, stringUnit: fc.constantFrom('a', ' ', '"', '\n', '\u00e9', ':', '#') });
    fc.assert(
      fc.property(plain, fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent);
        const read = plainOf(parseYaml(Buffer.from(json)).tree);
        // JSON.parse may confuse keys of one escape (see parseJson).
        expect(encodeAny(read)).toBe(encodeAny(plainOf(parseJsonTree(json))));
        const short = parsePlainJson(Buffer.from(json));
        if (short !== undefined) expect(encodeAny(short)).toBe(encodeAny(read));
      }),
      { numRuns: 500 },
    );
  });

  it('uses the JSON shortcut only where the result is the same', () => {
    const cases: readonly [string, boolean][] = [
      ['{"a":{"b":[1,"x",null,true]}}\n', true],
      ['{"a":"<&>\\n\\t"}', true],
      ['{"a":1.5}', false],
      ['{"a":-0}', false],
      ['{"a":1,"a":2}', false],
      ['{"a"\n:1}', false],
      ['{"a":"\\/"}', false],
      ['{"a":"\\ud83d\\ude00"}', false],
      ['{"a":"\u0085"}', false],
      [`{"${'k'.repeat(1025)}":1}`, false],
      ['[1]', true],
      ['[1', false],
      ['[a]', false],
      ['{"a":1} x', false],
      ['{"a":1}{', false],
    ];
    expect(parsePlainJson(Buffer.from('{"a":"\xff"}', 'latin1'))).toBeUndefined();
    for (const [text, expected] of cases) {
      expect(parsePlainJson(Buffer.from(text)) !== undefined, text).toBe(expected);
    }
  });

  const pieces = fc.constantFrom(
    ...'abc:#-?,[]{}&*!|>\'"%@`~<=.\\ \t\n\r0'.split(''),
    '\n  ',
    ': ',
    '- ',
    '? ',
    '--- ',
    '\u0085',
    '\u2028',
    '\ud83d\ude00',
    '!!',
    '%YAML 1.1\n',
    '&a ',
    '*a ',
    '<<: ',
    "''",
    '\\n',
    '\\x41',
    'a: |\n ',
    'a: >\n ',
    'a: "',
    'x'.repeat(1030),
  );
  const texts = fc.string({ unit: pieces, maxLength: 40 }).map((text) => Buffer.from(text));
  const bodies = fc.oneof(texts, fc.uint8Array({ maxLength: 60 }));

  it('parses any input, or refuses it with its own error', () => {
    fc.assert(
      fc.property(bodies, (bytes) => {
        try {
          parseYaml(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(YamlError);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
