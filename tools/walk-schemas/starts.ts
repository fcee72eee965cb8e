import type { startTestServer } from '../../test/server-fixture.ts';

type Start = Required<Parameters<typeof startTestServer>>;

/** Nothing else changes the objects. */
const alone = { config: { controllers: [] } };
const allVersions = { allowPrivileged: true, runtimeConfig: new Map([['api/all', true]]) };

/** A server with all versions, in memory. */
export const withAllVersions: Start = [allVersions, { inMemory: true }, alone];

/** With everything unfinished, too. */
export const withEverything: Start = [
  {
    ...allVersions,
    featureGates: new Map([
      ['AllAlpha', true],
      ['AllBeta', true],
    ]),
  },
  { inMemory: true },
  alone,
];
