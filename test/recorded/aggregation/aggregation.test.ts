import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults } from '../../../src/server/config.ts';
import { asAlone, startTestServer, type TestServer } from '../../server-fixture.ts';
import { type ExtensionServer, startExtensionServer } from '../../aggregation/extension-server.ts';
import { readCases } from '../recording.ts';
import { playSteps, type StepResult } from './play.ts';

// What kube-apiserver did in the same steps; recorded by `node test/record.ts aggregation`.
const recorded = readCases<StepResult>('aggregation', 'steps');

describe('APIServices', () => {
  let server: TestServer;
  let extension: ExtensionServer;
  let folder: string;
  let results: readonly StepResult[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'binnacle-aggregation-'));
    extension = await startExtensionServer(folder);
    const { certFile: proxyClientCertFile, keyFile: proxyClientKeyFile } = extension.proxyFiles;
    const aggregation = { ...configDefaults.aggregation, proxyClientCertFile, proxyClientKeyFile };
    const authorization = { ...configDefaults.authorization, modes: ['Node', 'RBAC'] };
    const config = { ...asAlone, authorization, aggregation, logging: { level: 'silent' } as const };
    server = await startTestServer({}, {}, { config });
    results = await playSteps({ server, extension });
  }, 60_000);

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await extension?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test.each(recorded.map((each, index) => ({ ...each, index })))('$name', ({ index, name, answer }) => {
    expect(results[index]).toEqual({ name, answer });
  });
});
