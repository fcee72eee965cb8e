import { expect, test } from 'vitest';
import { playDefinition } from '../../../tools/fuzz-definitions/play.ts';
import { digestOf, readRandomDefinitions } from './random-definitions.ts';
import { ApiClient } from '../../api-client.ts';
import { inParallel } from '../../in-parallel.ts';
import { startTestServer } from '../../server-fixture.ts';

// Random definitions, their changes, and writes of instances, as recorded by tools/fuzz-definitions.

const recorded = [...readRandomDefinitions()].map(([seed, digests]) => [Number(seed), digests] as const);

/** Seeds with a response other than the reference's, and why. */
const knownDifferences: { readonly [seed: number]: string } = {
  38: 'A null in a default is owned there, although it is not stored.',
};

test('random definitions and their instances are answered like by the reference', async () => {
  await using server = await startTestServer();
  using client = await ApiClient.connect(server);
  const different: { readonly [part: string]: unknown }[] = [];
  await inParallel(recorded, 4, async ([seed, digests]) => {
    const played = await playDefinition(client, seed, { settleMs: 20 });
    const at = digests.findIndex((digest, index) => digestOf(played[index]?.answer ?? null) !== digest);
    if (at !== -1) different.push({ seed, at, ...played[at] });
  });
  expect(different.filter(({ seed }) => knownDifferences[Number(seed)] === undefined)).toEqual([]);
  expect(different.map(({ seed }) => seed)).toEqual(Object.keys(knownDifferences).map(Number));
}, 60_000);
