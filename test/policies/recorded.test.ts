import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import { type CaseResult, playCases } from './play.ts';
import { suites } from './suites.ts';

// What kube-apiserver did in the same cases; recorded by `node test/policies/record.ts`.
const recordedOf = (name: string): readonly CaseResult[] =>
  JSON.parse(readFileSync(new URL(`testdata/${name}.json`, import.meta.url), 'utf8')) as readonly CaseResult[];

describe.each(Object.entries(suites))('policies: %s', (file, suite) => {
  let server: TestServer;
  let results: readonly CaseResult[];

  beforeAll(async () => {
    server = await startTestServer({}, {}, { config: { ...asAlone, logging: { level: 'silent' } } });
    results = await playCases(suite, { server, settleMs: 0 });
  }, 120_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recordedOf(file).map((each, index) => ({ ...each, index })))('$name', ({ index, name, answers }) => {
    expect(results[index]).toEqual({ name, answers });
  });
});
