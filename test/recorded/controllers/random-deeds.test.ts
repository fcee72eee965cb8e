import { describe, expect, test } from 'vitest';
import { playSubject, readOutcome } from '../../../tools/fuzz-controllers/play.ts';
import { isRecorded, readRecorded } from './random-deeds.ts';
import { startOwnCluster } from '../../../tools/fuzz-controllers/servers.ts';
import { subjects } from '../../../tools/fuzz-controllers/subjects.ts';
import { ApiClient } from '../../api-client.ts';

// Random deeds end as recorded by tools/fuzz-controllers beside kube-controller-manager.

const recorded = subjects.filter(isRecorded);

/** Namespaces that end differently, and why. */
const knownDifferences: { readonly [subjectAndSeed: string]: string } = {
  'endpoints 26': 'An empty slice whose labels change owns its list of endpoints here, which it does not have.',
};

test('there are recordings', () => {
  expect(recorded.map(({ name }) => name)).toEqual(['endpoints', 'mirrored-endpoints', 'accounts', 'objects']);
});

describe.each(recorded)('$name', (subject) => {
  test('end as beside kube-controller-manager', { timeout: 120_000 }, async () => {
    await using cluster = await startOwnCluster();
    using client = await ApiClient.connect(cluster.server);
    const outcomes = readRecorded(subject);
    await playSubject(client, subject, [...outcomes.keys()]);
    for (const [seed, outcome] of outcomes) {
      const now = () => readOutcome(client, subject, seed);
      if (knownDifferences[`${subject.name} ${seed}`] === undefined) {
        await expect.poll(now, { timeout: 20_000, interval: 100, message: `seed ${seed}` }).toEqual(outcome);
      } else expect(await now(), `${subject.name} ${seed} is no longer known to differ`).not.toEqual(outcome);
    }
  });
});
