import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { customKinds } from '../../tools/record-apply/custom/definitions.ts';
import {
  comparable,
  customRecordingPath,
  digestOfKept,
  refusedByValidation,
  replayed,
} from '../../tools/record-apply/custom/recording.ts';
import { customSequence } from '../../tools/record-apply/custom/sequence.ts';

// Random applies, merge patches and replacements of custom resources by several managers, some with schema changes in
// between; the reference's responses as digests (tools/record-apply/custom). Runs the field manager with the schema
// compiled from the definition, with the tool's pruning and defaulting.

const lines = readFileSync(customRecordingPath, 'utf8').trimEnd().split('\n');
const recorded = lines.map((line) => {
  const [label = '', seed = '', ...digests] = line.split(' ');
  return { label, seed: Number(seed), digests };
});
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
