import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playVersions } from '../../tools/compare-versions/play.ts';
import { leftOut, recordingPath } from '../../tools/compare-versions/recording.ts';
import { digestOf } from '../../tools/fuzz-definitions/recording.ts';
import { ApiClient } from '../api-client.ts';
import { inParallel } from '../in-parallel.ts';
import { startTestServer } from '../server-fixture.ts';

// Random requests through the versions of definitions that change, as recorded by tools/compare-versions.

const recorded = readFileSync(recordingPath, 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' '));

test('what is stored through one version is seen through the others as in the reference', async () => {
  await using server = await startTestServer();
  using client = await ApiClient.connect(server);
  const different: { readonly [part: string]: unknown }[] = [];
  await inParallel(recorded, 8, async ([seed = '', ...digests]) => {
    const isLeftOut = (at: number): boolean => digests[at] === leftOut;
    const played = await playVersions(client, Number(seed), { isLeftOut });
    const differs = (digest: string, at: number): boolean =>
      digest !== leftOut && digestOf(played[at]?.answer ?? null) !== digest;
    const at = digests.findIndex(differs);
    if (at !== -1) different.push({ seed, at, ...played[at] });
  });
  expect(different).toEqual([]);
}, 120_000);
