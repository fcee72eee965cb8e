import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { type PlayedCertificates, playCertificates } from './play-certificates.ts';

// What kube-apiserver answered in the same cases; recorded by `node test/webhooks/record.ts`.
const recorded = JSON.parse(
  readFileSync(new URL('testdata/recorded-certificates.json', import.meta.url), 'utf8'),
) as PlayedCertificates;

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
