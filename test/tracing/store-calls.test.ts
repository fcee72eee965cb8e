import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { configDefaults } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../etcd-process.ts';
import { startGrpcProxy } from '../grpc-proxy.ts';
import { onEtcd, startTestServer } from '../server-fixture.ts';
import { Collector } from './collector.ts';
import { tracingConfiguration } from './tracing-configuration.ts';

const folder = await mkdtemp(join(tmpdir(), 'binnacle-store-calls-'));
afterAll(() => rm(folder, { recursive: true }));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const headers = { traceparent: `00-${traceId}-${spanId}-01`, tracestate: 'a=b', baggage: 'who=me' };
const path = '/api/v1/namespaces/default/configmaps';

describeWithEtcd('a trace is passed on to etcd', () => {
  test.each([1, 3])(
    'as metadata of the calls that a request makes, by %i threads',
    async (apiThreads) => {
      await using collector = await Collector.start();
      await using etcd = await EtcdProcess.start({ args: ['--unsafe-no-fsync'] });
      await using proxy = await startGrpcProxy(etcd.url);
      const tracingFile = join(folder, 'tracing.json');
      await writeFile(tracingFile, tracingConfiguration({ endpoint: collector.endpoint }));
      const serving = { ...configDefaults.serving, bindAddress: '127.0.0.1', securePort: 0, apiThreads };
      await using server = await startTestServer({}, onEtcd(proxy.url), { config: { tracingFile, serving } });
      const clients = await Promise.all(Array.from({ length: 4 * apiThreads }, () => ApiClient.connect(server)));
      const traced = () => proxy.calls.filter(({ metadata }) => String(metadata['traceparent']).endsWith('-01'));
      const body = { metadata: { name: 'plain' } };
      expect((await clients[0]?.send('POST', path, { body }))?.code).toBe(201);
      // As with kube-apiserver, etcd is told of a trace that nobody records as well.
      const unrecorded = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      expect(proxy.calls.map(({ metadata }) => metadata['traceparent'])).toContainEqual(unrecorded);
      expect(traced()).toEqual([]);
      for (const client of clients) {
        const before = traced().length;
        const named = { body: { metadata: { name: 'traced' } }, headers };
        expect((await client.send('POST', path, named)).code).toBe(201);
        expect((await client.send('DELETE', `${path}/traced`, { headers })).code).toBe(200);
        const paths = traced()
          .slice(before)
          .map((call) => call.path);
        expect(paths.filter((called) => called === '/etcdserverpb.KV/Txn').length).toBeGreaterThanOrEqual(2);
        client[Symbol.dispose]();
      }
      for (const { metadata } of traced()) {
        // It is the span of the call that etcd's own belong to.
        expect(metadata['traceparent']).toMatch(new RegExp(`^00-${traceId}-(?!${spanId})[0-9a-f]{16}-01$`));
        expect([metadata['tracestate'], metadata['baggage']]).toEqual(['a=b', 'who=me']);
      }
      await server[Symbol.asyncDispose]();
      const calls = collector.spans.filter(({ name }) => name === 'etcdserverpb.KV/Txn').map((span) => span.spanId);
      const parents = traced().map(({ metadata }) => String(metadata['traceparent']).split('-')[2]);
      expect(parents).toEqual(expect.arrayContaining(calls));
    },
    60_000,
  );
});
