import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json.ts';
import { differenceOf, type RecordedPatch } from './recorded-patch.ts';

const lines = readFileSync(new URL('testdata/strategic.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n');

describe('recorded strategic merge patches', () => {
  it.each(lines.map((line, index) => ({ line, index })))('case $index', ({ line }) => {
    // The file is written by the comparison.
    const recorded = parseJson(Buffer.from(line)).value as unknown as RecordedPatch;
    expect(differenceOf(recorded)).toBeUndefined();
  });

  it('are some hundreds, among them errors', () => {
    expect(lines.length).toBeGreaterThan(200);
    expect(lines.filter((line) => line.includes('"error":')).length).toBeGreaterThan(20);
    expect(lines.filter((line) => line.includes('"decode":')).length).toBeGreaterThan(3);
  });
});
