import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { type CaseResult, playCases } from './play.ts';

// What kube-apiserver did in the same cases; recorded by `node test/webhooks/record.ts`.
const recorded = JSON.parse(
  readFileSync(new URL('testdata/recorded.json', import.meta.url), 'utf8'),
) as readonly CaseResult[];

// kube-apiserver alone writes nothing into new namespaces.
const controllers = ['*', '-root-ca-certificate-publisher-controller', '-serviceaccount-controller'];

describe('admission webhooks', () => {
  let server: TestServer;
  let results: readonly CaseResult[];

  beforeAll(async () => {
    server = await startTestServer({}, {}, { config: { logging: { level: 'silent' }, controllers } });
    results = await playCases({ server, folder: server.scratchDir, settleMs: 0 });
  }, 60_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recorded.map((each, index) => ({ ...each, index })))('$name', ({ index, name, answers, reviews }) => {
    expect(results[index]).toEqual({ name, answers, reviews });
  });
});
