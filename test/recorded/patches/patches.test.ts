import { describe, expect, it } from 'vitest';
import { parseJson } from '../../../src/codec/json.ts';
import { readCases } from '../recording.ts';
import { documentDifference, type RecordedDocument } from './recorded-document.ts';
import { differenceOf, type RecordedPatch } from './recorded-patch.ts';

/** Written by `tools/compare-patches`; numbers as the server reads them. */
function recorded<T>(name: string): readonly T[] {
  return readCases<T>('patches', name, (line) => parseJson(Buffer.from(line)).value);
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
