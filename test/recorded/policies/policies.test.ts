import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asAlone, startTestServer, type TestServer } from '../../server-fixture.ts';
import { type CaseResult, playCases } from '../../policies/play.ts';
import { suites } from '../../policies/suites.ts';
import { readCases } from '../recording.ts';

// What kube-apiserver did in the same cases; recorded by `node test/record.ts policies`.
const recordedOf = (name: string): readonly CaseResult[] => readCases('policies', name);

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
