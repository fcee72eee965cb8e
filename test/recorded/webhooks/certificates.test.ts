import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { readFields } from '../recording.ts';
import { type PlayedCertificates, playCertificates } from './play-certificates.ts';

// What kube-apiserver answered in the same cases; recorded by `node test/record.ts webhooks`.
const recorded = readFields<PlayedCertificates>('webhooks', 'certificates');

describe('certificates of webhooks', () => {
  let server: TestServer;
  let played: PlayedCertificates;

  beforeAll(async () => {
    server = await startTestServer({}, { inMemory: true }, { config: { logging: { level: 'silent' } } });
    played = await playCertificates({ server, settleMs: 0 });
  }, 120_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recorded.results.map((each, index) => ({ ...each, index })))('$name', ({ index, ...expected }) => {
    expect(played.results[index]).toEqual(expected);
  });

  test('those that rely on what Go has given up are counted', () => {
    expect(played.counted).toEqual(recorded.counted);
  });
});
