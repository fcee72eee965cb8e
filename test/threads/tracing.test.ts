import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { startTestServer } from '../server-fixture.ts';
import { Collector } from '../tracing/collector.ts';
import { tracingConfiguration } from '../tracing/tracing-configuration.ts';

const path = '/api/v1/namespaces/default/configmaps';

test('spans name the thread that has served the request', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-traced-threads-'));
  const tracingFile = join(folder, 'tracing.json');
  await using collector = await Collector.start();
  await writeFile(tracingFile, tracingConfiguration({ endpoint: collector.endpoint, samplingRatePerMillion: 1e6 }));
  const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads: 3 };
  const server = await startTestServer({}, { inMemory: true }, { config: { tracingFile, serving } });
  const clients = await Promise.all(Array.from({ length: 36 }, () => ApiClient.connect(server)));
  for (const [at, client] of clients.entries()) {
    expect((await client.send('POST', path, { body: { metadata: { name: `x${at}` } } })).code).toBe(201);
    expect(await client.text('/readyz')).toBe('ok');
    client[Symbol.dispose]();
  }
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  const threadsOf = (target: string): Set<unknown> => {
    const served = collector.spans.filter(({ kind, attributes }) => kind === 2 && attributes['http.target'] === target);
    const traces = new Set(served.map(({ traceId }) => traceId));
    expect(traces.size).toBe(clients.length);
    // Of each step.
    const spans = collector.spans.filter(({ traceId }) => traces.has(traceId));
    for (const { attributes, traceId } of spans)
      expect(attributes['thread.name']).toBe(served.find((one) => one.traceId === traceId)?.attributes['thread.name']);
    return new Set(spans.map(({ attributes }) => attributes['thread.name']));
  };
  expect(threadsOf(path)).toEqual(new Set(['main', 'api-1', 'api-2']));
  // Of the process, whichever thread has accepted it.
  expect(threadsOf('/readyz')).toEqual(new Set(['main']));
});
