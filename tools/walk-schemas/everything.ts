import type { startTestServer } from '../../test/server-fixture.ts';

/** A server with all that there is, in memory. */
export const allowEverything: Parameters<typeof startTestServer> = [
  {
    allowPrivileged: true,
    runtimeConfig: new Map([['api/all', true]]),
    featureGates: new Map([
      ['AllAlpha', true],
      ['AllBeta', true],
    ]),
  },
  { inMemory: true },
];
