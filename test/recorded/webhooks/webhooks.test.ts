import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { startTestServer, type TestServer } from '../../server-fixture.ts';
import { type CaseResult, playCases } from '../../webhooks/play.ts';
import { readCases } from '../recording.ts';

// What kube-apiserver did in the same cases; recorded by `node test/record.ts webhooks`.
const recorded = readCases<CaseResult>('webhooks', 'results');

// kube-apiserver alone writes nothing into new namespaces.
const controllers = ['*', '-root-ca-certificate-publisher-controller', '-serviceaccount-controller'];

describe('admission webhooks', () => {
  let server: TestServer;
  let results: readonly CaseResult[];

  beforeAll(async () => {
    // Webhooks are told how long the request may take.
    const requests = { ...configDefaults.requests, timeoutMs: 60_000 };
    server = await startTestServer({}, {}, { config: { logging: { level: 'silent' }, controllers, requests } });
    results = await playCases({ server, folder: server.scratchDir, settleMs: 0 });
  }, 300_000);

  afterAll(() => server?.[Symbol.asyncDispose]());

  test.each(recorded.map((each, index) => ({ ...each, index })))('$name', ({ index, name, answers, reviews }) => {
    expect(results[index]).toEqual({ name, answers, reviews });
  });
});
