import { expect, test } from 'vitest';
import type { KindEntry } from '../catalogue/kind-entry.ts';
import { GoneResources } from './gone-resources.ts';

/** Only the names matter here. */
const entry = (plural: string): KindEntry =>
  ({
    versions: ['v1', 'v2'].map((version) => ({ resource: { group: 'g', version, plural } })),
  }) as unknown as KindEntry;

test('resources that are gone are forgotten when a hundred others have gone after them, unless they are back', () => {
  const forgotten: string[] = [];
  const gone = new GoneResources(({ group, resource }) => forgotten.push(`${resource}.${group}`));
  for (const plural of ['a', 'b', 'c']) gone.note({ remove: [entry(plural)] });
  gone.note({ add: [entry('b')] });
  // A changed definition replaces its entry.
  gone.note({ remove: [entry('d')], add: [entry('d')] });
  for (let at = 0; at < 100; at += 1) gone.note({ remove: [entry(`x${at}`)] });
  expect(forgotten).toEqual(['a.g', 'c.g']);
});
