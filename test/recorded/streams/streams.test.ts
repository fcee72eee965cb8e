import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { ownAddress, playStreams, type Results } from '../../streams/play.ts';
import { readFields } from '../recording.ts';

// What kube-apiserver did in the same cases; recorded by `node test/record.ts streams`.
const recorded = readFields<Results>('streams', 'results');

/** Without an address that is not loopback, nothing is reached by `proxy`. */
describe.skipIf(ownAddress() === undefined)('proxies and streams', () => {
  let server: TestServer;
  let results: Results;

  beforeAll(async () => {
    server = await startTestServer({}, {}, { config: { logging: { level: 'silent' } } });
    results = await playStreams(server, { folder: server.scratchDir, settleMs: 0 });
  }, 60_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recorded.proxies.map((each, index) => ({ ...each, index })))('$name', ({ index, ...expected }) => {
    expect(results.proxies[index]).toEqual(expected);
  });

  test.each(recorded.admitted.map((each, index) => ({ ...each, index })))(
    'admitted: $name',
    ({ index, ...expected }) => {
      expect(results.admitted[index]).toEqual(expected);
      expect(results.reviews[index]).toEqual(recorded.reviews[index]);
    },
  );

  test.each(recorded.sockets.map((each, index) => ({ ...each, index })))(
    'a WebSocket: $name',
    ({ index, ...expected }) => {
      expect(results.sockets[index]).toEqual(expected);
    },
  );
});
