import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../server-fixture.ts';
import { normalizeSteps, recordedSteps } from '../recorded/clients/steps.ts';
import { programs } from './programs.ts';

/** Mostly start-up time of Java and Go, which is longer on a busy machine. */
const timeoutMs = 300_000;

/**
 * Client libraries and tools get the same results from Binnacle as from the reference, as recorded by
 * `node test/record.ts clients`.
 */
describe.each(programs)('$name', (program) => {
  const missing = program.missing();
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing);
  let server: TestServer;
  const featureGates = new Map((program.gates ?? []).map((gate) => [gate, true]));
  beforeAll(async () => void (server = await startTestServer({ featureGates })));
  afterAll(() => server[Symbol.asyncDispose]());

  const title = 'hears what it hears from the reference';
  const titled = missing === undefined ? title : `${title} (skipped: ${missing})`;
  test.skipIf(missing !== undefined)(titled, { timeout: timeoutMs }, async () => {
    const record = program.recordedAs ?? program.name;
    expect(normalizeSteps(await program.run(server, record))).toEqual(recordedSteps(record));
  });
});
