import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/codec/json.ts';
import { documentDifference, type RecordedDocument } from './recorded-document.ts';
import { differenceOf, type RecordedPatch } from './recorded-patch.ts';

/** The files are written by the comparison tool. */
function recorded<T>(name: string): readonly T[] {
  const lines = readFileSync(new URL(`testdata/${name}.jsonl`, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => parseJson(Buffer.from(line)).value as T);
}

const strategic = recorded<RecordedPatch>('strategic');
const documents = recorded<RecordedDocument>('documents');

describe('recorded strategic merge patches', () => {
  it.each(strategic.map((each, index) => ({ each, index })))('case $index', ({ each }) => {
    expect(differenceOf(each)).toBeUndefined();
  });

  it('are several hundred, including errors', () => {
    expect(strategic.length).toBeGreaterThan(200);
    expect(strategic.filter(({ error }) => error !== undefined).length).toBeGreaterThan(20);
    expect(strategic.filter(({ decode }) => decode !== undefined).length).toBeGreaterThan(3);
  });
});

describe('recorded JSON and merge patches', () => {
  it.each(documents.map((each, index) => ({ each, index })))('case $index', ({ each }) => {
    expect(documentDifference(each)).toBeUndefined();
  });

  it('are several hundred, including successes', () => {
    expect(documents.filter(({ text }) => text !== undefined).length).toBeGreaterThan(100);
    expect(documents.filter(({ error }) => error !== undefined).length).toBeGreaterThan(100);
  });
});
