import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { seeded, below } from '../../tools/random-objects/random.ts';
import { kubernetesVersion } from '../../src/server/version.ts';
import { decodeCases, encodeCases, largestPlainBytes } from './recording.ts';

const files = globSync('**/testdata/*', { cwd: import.meta.dirname });

test('there are recordings, and nothing else beside them', () => {
  expect(files.length).toBeGreaterThan(40);
  expect(files.filter((file) => !/\/testdata\/[\w.-]+\.jsonl(?:\.gz)?$/.test(file))).toEqual([]);
});

describe.each(files)('%s', (file) => {
  const bytes = readFileSync(join(import.meta.dirname, file));

  test('says that it is of the version that the server has', () => {
    const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
    expect(text.slice(0, text.indexOf('\n'))).toBe(`{"recorded":"Kubernetes ${kubernetesVersion}"}`);
    expect(decodeCases(bytes).length).toBeGreaterThan(0);
  });

  test('is compressed if it is large, without the time of its writing', () => {
    if (!file.endsWith('.gz')) expect(statSync(join(import.meta.dirname, file)).size).toBeLessThan(largestPlainBytes);
    else {
      expect(gunzipSync(bytes).length).toBeGreaterThan(largestPlainBytes);
      expect(bytes.readUInt32LE(4)).toBe(0);
    }
  });
});

describe('cases', () => {
  const random = seeded(38);
  const some = (depth: number): unknown => {
    const leaves = [null, true, -0.5, 2 ** 53, '', 'line\nline', '\u2028\ud83d\ude00', '{"recorded":1}'];
    const at = below(random, depth > 3 ? leaves.length : leaves.length + 2);
    const items = () => Array.from({ length: below(random, 4) }, () => some(depth + 1));
    if (at === leaves.length) return items();
    return at < leaves.length ? leaves[at] : Object.fromEntries(items().map((item, key) => [`k${key}`, item]));
  };

  test('are read as they were written', () => {
    for (let count = 0; count < 200; count += 1) {
      const cases = Array.from({ length: below(random, 5) }, () => some(0));
      expect(decodeCases(encodeCases(cases).bytes), 'seed 38').toEqual(cases);
    }
  });

  test('are compressed if there are many, always to the same bytes', () => {
    const cases = Array.from(
      { length: 20_000 },
      (_, at) => `this is the text of case ${at}, of fifty characters or so`,
    );
    const { bytes, isCompressed } = encodeCases(cases);
    expect(isCompressed).toBe(true);
    expect(bytes.equals(encodeCases(cases).bytes)).toBe(true);
    expect(decodeCases(bytes)).toEqual(cases);
  });

  test('are not read from a file without a head', () => {
    expect(() => decodeCases(Buffer.from('["a",1]\n'))).toThrow('no head');
  });
});
