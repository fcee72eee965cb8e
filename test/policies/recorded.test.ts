import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import { type CaseResult, playCases } from './play.ts';

// What kube-apiserver did in the same cases; recorded by `node test/policies/record.ts`.
const recorded = JSON.parse(
  readFileSync(new URL('testdata/recorded.json', import.meta.url), 'utf8'),
) as readonly CaseResult[];

describe('validating admission policies', () => {
  let server: TestServer;
  let results: readonly CaseResult[];

  beforeAll(async () => {
    server = await startTestServer({}, {}, { config: { ...asAlone, logging: { level: 'silent' } } });
    results = await playCases({ server, settleMs: 0 });
  }, 60_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recorded.map((each, index) => ({ ...each, index })))('$name', ({ index, name, answers }) => {
    expect(results[index]).toEqual({ name, answers });
  });
});
