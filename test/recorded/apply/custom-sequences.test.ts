import { describe, expect, test } from 'vitest';
import { customKinds } from './custom/definitions.ts';
import { comparable, digestOfKept, refusedByValidation, replayed } from './custom/recording.ts';
import { customSequence } from './custom/sequence.ts';
import { readSequences } from './recorded-sequences.ts';

// Random applies, merge patches and replacements of custom resources by several managers, some with schema changes in
// between; the reference's responses as digests. Runs the field manager with the schema compiled from the definition,
// with the recorder's pruning and defaulting.

const recorded = readSequences('custom-sequences');
const allDigests = recorded.flatMap(({ digests }) => digests);

test('there are at least 2,000 writes, and few with validation errors', () => {
  const compared = allDigests.filter((digest) => digest !== refusedByValidation);
  expect(compared.length).toBeGreaterThanOrEqual(2000);
  expect(compared.length / allDigests.length).toBeGreaterThan(0.95);
});

describe.each(customKinds)('$label', (custom) => {
  test('objects and owners match the reference after every write', async () => {
    const sequences = recorded.filter(({ label }) => label === custom.label);
    expect(sequences.length).toBeGreaterThan(0);
    for (const { seed, digests } of sequences) {
      const writes = customSequence(custom, seed).flat();
      expect(digests.length).toBe(writes.length);
      const answers = await replayed(custom, seed, (index) => digests[index] === refusedByValidation);
      const different = answers.findIndex((answer, index) => digestOfKept(answer) !== digests[index]);
      const kept = answers[different];
      const shown = kept === undefined ? '' : JSON.stringify(comparable(kept));
      expect.soft(writes[different], `seed ${seed} write ${different}: ${shown}`).toBeUndefined();
    }
  });
});
