import { afterAll, beforeAll, expect, test } from 'vitest';
import { playVersions } from '../../../tools/compare-versions/play.ts';
import { leftOut, readRandomVersions } from './random-versions.ts';
import { digestOf } from './random-definitions.ts';
import { ApiClient } from '../../api-client.ts';
import { inParallel } from '../../in-parallel.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';

// Random requests through the versions of definitions that change, as recorded by tools/compare-versions.

const recorded = [...readRandomVersions()];

/** So many take a few seconds. */
const inOneTest = 10;
const parts = Array.from({ length: Math.ceil(recorded.length / inOneTest) }, (_, part) =>
  recorded.slice(part * inOneTest, (part + 1) * inOneTest),
);

let server: TestServer;
let client: ApiClient;

beforeAll(async () => {
  server = await startTestServer();
  client = await ApiClient.connect(server);
});

afterAll(async () => {
  client[Symbol.dispose]();
  await server[Symbol.asyncDispose]();
});

test.each(parts.map((part) => ({ first: part[0]?.[0], part })))(
  'what is stored through one version is seen through the others as in the reference, from seed $first',
  async ({ part }) => {
    const different: { readonly [part: string]: unknown }[] = [];
    await inParallel(part, 8, async ([seed, digests]) => {
      const isLeftOut = (at: number): boolean => digests[at] === leftOut;
      const played = await playVersions(client, Number(seed), { isLeftOut });
      const differs = (digest: string, at: number): boolean =>
        digest !== leftOut && digestOf(played[at]?.answer ?? null) !== digest;
      const at = digests.findIndex(differs);
      if (at !== -1) different.push({ seed, at, ...played[at] });
    });
    expect(different).toEqual([]);
  },
);
