import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { configDefaults, type ServerConfig, type StorageConfig } from '../../../src/server/config.ts';
import { ApiClient } from '../../api-client.ts';
import { describeWithEtcd, EtcdProcess } from '../../etcd-process.ts';
import { KmsPlugin } from '../../encryption/kms-plugin.ts';
import { jsonOf, startHttpsServer } from '../../https-server.ts';
import { launcher } from '../../release-form.ts';
import { asAlone, onEtcd, startTestServer, type TestServer } from '../../server-fixture.ts';
import { Collector, type ReceivedSpan } from '../../tracing/collector.ts';
import { readCases } from '../recording.ts';
import { type PlayedRequest, type PlayedSpan, playTraces } from './play.ts';
import { tracingConfiguration } from '../../tracing/tracing-configuration.ts';

// Traces arrive at a collector by OTLP over gRPC, with the spans that kube-apiserver sends.

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'binnacle-tracing-'));
});

afterAll(() => rm(folder, { recursive: true }));

const rbac = { ...configDefaults.authorization, modes: ['Node', 'RBAC'] } as const;
let files = 0;

async function traced(
  fields: object,
  storage: Partial<StorageConfig> = { inMemory: true },
  config: Partial<ServerConfig> = {},
): Promise<TestServer> {
  const tracingFile = join(folder, `${(files += 1)}.json`);
  await writeFile(tracingFile, tracingConfiguration(fields));
  return startTestServer({}, storage, { config: { ...asAlone, authorization: rbac, tracingFile, ...config } });
}

const callsOfStore = /^etcdserverpb\.KV\/Range$/;

/** Without the reads of the store, which happen at other times here: objects are read from memory. */
function withoutReads(spans: readonly PlayedSpan[]): readonly PlayedSpan[] {
  return spans
    .filter(({ name }) => !callsOfStore.test(name))
    .map((span) => ({ ...span, below: withoutReads(span.below) }));
}

/** The server makes reviews without what the reference shares with writes. */
const onlyThere = new Set(['About to store object in database', 'Write to database call succeeded']);

function comparable({ name, code, trace }: PlayedRequest): PlayedRequest {
  const strip = (spans: readonly PlayedSpan[]): readonly PlayedSpan[] =>
    spans.map((span) => ({
      ...span,
      events: name === 'a review' ? span.events.filter((event) => !onlyThere.has(event)) : span.events,
      below: strip(span.below),
    }));
  return { name, code, trace: strip(withoutReads(trace)) };
}

describeWithEtcd('with etcd', () => {
  test('requests have the spans of kube-apiserver', async () => {
    const recorded = readCases<PlayedRequest>('tracing', 'traces');
    await using collector = await Collector.start();
    await using etcd = await EtcdProcess.start();
    await using server = await traced({ endpoint: collector.endpoint }, onEtcd(etcd.url));
    const played = await playTraces(server, collector);
    expect(played.map(comparable)).toEqual(recorded.map(comparable));
    const reads = collector.spans.filter(({ name, parentId }) => callsOfStore.test(name) && parentId !== '');
    expect(reads.length).toBeGreaterThan(0);
    expect(new Set(reads.map(({ kind }) => kind))).toEqual(new Set([3]));
  }, 60_000);
});

const traceId = '0af7651916cd43dd8448eb211c80319c';
const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, tracestate: 'a=b' };
const hasRequest = (spans: readonly ReceivedSpan[]): boolean => spans.some(({ kind }) => kind === 2);

describe('a trace', () => {
  test('arrives when the server stops', async () => {
    await using collector = await Collector.start();
    const server = await traced({ endpoint: collector.endpoint });
    {
      using client = await ApiClient.connect(server);
      await client.send('GET', '/api/v1/namespaces/default', { headers });
    }
    expect(collector.spans).toEqual([]);
    await server[Symbol.asyncDispose]();
    const request = collector.spans.find(({ kind }) => kind === 2);
    expect(request).toMatchObject({ traceId, parentId: 'b7ad6b7169203331', traceState: 'a=b' });
    expect(request?.resource).toEqual({
      'service.name': 'apiserver',
      'service.instance.id': expect.stringMatching(/^apiserver-[a-z2-7]{26}$/),
    });
    expect(collector.spans.map(({ name }) => name)).not.toContain('etcdserverpb.KV/Range');
  });

  test('is sent to a socket', async () => {
    const endpoint = `unix://${join(folder, 'collector.sock')}`;
    await using collector = await Collector.start(endpoint);
    const server = await traced({ endpoint });
    {
      using client = await ApiClient.connect(server);
      await client.send('GET', '/api/v1/namespaces/default', { headers });
    }
    await server[Symbol.asyncDispose]();
    expect(hasRequest(collector.spans)).toBe(true);
  });

  test('is not begun for requests that do not ask for it, unless so many are wanted', async () => {
    await using collector = await Collector.start();
    for (const samplingRatePerMillion of [0, 1_000_000]) {
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      const server = await traced({ endpoint: collector.endpoint, samplingRatePerMillion });
      {
        // oxlint-disable-next-line no-await-in-loop -- one server after the other
        using client = await ApiClient.connect(server);
        // oxlint-disable-next-line no-await-in-loop -- one server after the other
        await client.send('GET', '/api/v1/namespaces/default');
      }
      // oxlint-disable-next-line no-await-in-loop -- one server after the other
      await server[Symbol.asyncDispose]();
      expect(hasRequest(collector.spans)).toBe(samplingRatePerMillion > 0);
    }
  });

  test('that a stranger says to belong to is only linked, and nothing is traced of who is unknown', async () => {
    await using collector = await Collector.start();
    const tokenFile = join(folder, 'tokens.csv');
    await writeFile(tokenFile, 'secret,somebody,1,"some"\nwatched,prometheus,2,"system:monitoring"\n');
    const authentication = { ...configDefaults.authentication, tokenAuthFile: tokenFile, anonymous: false };
    const server = await traced(
      { endpoint: collector.endpoint, samplingRatePerMillion: 1_000_000 },
      { inMemory: true },
      { authentication },
    );
    for (const token of ['secret', 'watched', 'wrong']) {
      const path = `${server.url}/api/v1/namespaces?by=${token}`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await send(path, { ...headers, authorization: `Bearer ${token}` });
    }
    await server[Symbol.asyncDispose]();
    const requestOf = (token: string): ReceivedSpan | undefined =>
      collector.spans.find(({ attributes }) => attributes['http.target'] === `/api/v1/namespaces?by=${token}`);
    expect(requestOf('secret')).toMatchObject({ parentId: '', linkedTraces: [traceId] });
    expect(requestOf('secret')?.traceId).not.toBe(traceId);
    expect(requestOf('watched')).toMatchObject({ traceId, linkedTraces: [] });
    expect(requestOf('wrong')).toBeUndefined();
  });

  test('has what a KMS plugin has to do with a write', async () => {
    await using collector = await Collector.start();
    await using plugin = await KmsPlugin.start(join(folder, 'kms.sock'));
    const configFile = join(folder, 'encryption.json');
    const kms = { apiVersion: 'v2', name: 'plugin', endpoint: `unix://${plugin.socket}` };
    await writeFile(configFile, encryptionConfiguration({ kms }));
    const encryption = { configFile, automaticReload: false };
    const server = await traced({ endpoint: collector.endpoint }, { inMemory: true, encryption });
    {
      using client = await ApiClient.connect(server);
      const body = { metadata: { name: 'a' }, stringData: { a: 'b' } };
      await client.send('POST', '/api/v1/namespaces/default/secrets', { body, headers });
    }
    await server[Symbol.asyncDispose]();
    const write = collector.spans.find(({ name }) => name === 'TransformToStorage with envelopeTransformer');
    expect(write).toMatchObject({ traceId, attributes: { 'transformer.provider.name': 'plugin' } });
    expect(write?.events.map(({ name }) => name)).toEqual([
      'About to encrypt data using DEK',
      'Data encryption succeeded',
      'About to encode encrypted object',
      'Encoded encrypted object',
    ]);
    const above = collector.spans.find(({ spanId }) => spanId === write?.parentId);
    expect(above?.name).toBe('Create etcd3');
  });

  test('is passed on to webhooks', async () => {
    await using collector = await Collector.start();
    const seen: (string | undefined)[] = [];
    await using hook = await startHttpsServer({ folder }, (request, response) => {
      seen.push(String(request.headers['traceparent']), String(request.headers['tracestate']));
      void jsonOf<{ request: { uid: string } }>(request).then(({ request: { uid } }) => {
        const review = { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...review, response: { uid, allowed: true } }));
      });
    });
    const server = await traced({ endpoint: collector.endpoint });
    {
      using client = await ApiClient.connect(server);
      await client.send('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
        body: hookConfiguration(hook.url, hook.authority),
      });
      const body = { metadata: { name: 'a' } };
      await expect
        .poll(async () => {
          await client.send('POST', '/api/v1/namespaces/default/configmaps?dryRun=All', { body, headers });
          return seen.length;
        })
        .toBeGreaterThan(0);
    }
    await server[Symbol.asyncDispose]();
    const call = collector.spans.find(({ name }) => name === 'HTTP POST');
    expect(seen.slice(0, 2)).toEqual([`00-${traceId}-${call?.spanId}-01`, 'a=b']);
    const above = collector.spans.find(({ spanId }) => spanId === call?.parentId);
    expect(above).toMatchObject({
      name: 'Call validating webhook',
      attributes: {
        configuration: 'hooks',
        webhook: 'hook.example.com',
        operation: 'CREATE',
        subresource: '',
        resource: '/v1, Resource=configmaps',
        UID: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    });
  });
});

test('the release form traces as well, until it is told to stop', async () => {
  await using collector = await Collector.start();
  const file = join(folder, 'release.json');
  await writeFile(file, tracingConfiguration({ endpoint: collector.endpoint, samplingRatePerMillion: 1_000_000 }));
  const dataDir = join(folder, 'release');
  const flags = [
    `--data-dir=${dataDir}`,
    '--bind-address=127.0.0.1',
    '--secure-port=0',
    `--tracing-config-file=${file}`,
  ];
  const child = spawn(process.execPath, [launcher, 'serve', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [said] = (await once(child.stdout, 'data')) as [Buffer]; // what it prints when it serves
    const url = /https:\S+/.exec(said.toString())?.[0] ?? '';
    {
      using client = await ApiClient.connect({ url, kubeconfigPath: join(dataDir, 'admin.kubeconfig') });
      await client.send('GET', '/api/v1/namespaces/default', { headers });
    }
    child.kill('SIGTERM');
    await once(child, 'exit');
  } finally {
    child.kill('SIGKILL');
  }
  expect(collector.spans.filter(({ kind }) => kind === 2).map(({ name }) => name)).toContain(
    'GET /api/v1/namespaces/{:namespace}/namespaces/{:name}',
  );
});

test('a collector that is not there keeps nothing from being served, or from stopping', async () => {
  const server = await traced({ endpoint: '127.0.0.1:9', samplingRatePerMillion: 1_000_000 });
  {
    using client = await ApiClient.connect(server);
    expect((await client.send('GET', '/api/v1/namespaces/default')).code).toBe(200);
  }
  await server[Symbol.asyncDispose]();
});

test.each([
  ['', 'does not exist'],
  [JSON.stringify({ endpoint: 'http://x' }), 'unsupported scheme: http'],
])('a file with %j is refused', async (text, message) => {
  const tracingFile = join(folder, 'bad.json');
  if (text === '') await rm(tracingFile, { force: true });
  else await writeFile(tracingFile, text);
  await expect(startTestServer({}, { inMemory: true }, { config: { tracingFile } })).rejects.toThrow(message);
});

function encryptionConfiguration(provider: object): string {
  const resources = [{ resources: ['secrets'], providers: [provider] }];
  return JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources });
}

function hookConfiguration(url: string, authority: string): object {
  return {
    metadata: { name: 'hooks' },
    webhooks: [
      {
        name: 'hook.example.com',
        clientConfig: { url: `${url}/`, caBundle: Buffer.from(authority).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
      },
    ],
  };
}

async function send(url: string, sent: Readonly<Record<string, string>>): Promise<void> {
  const { request } = await import('node:https');
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const outgoing = request(url, { rejectUnauthorized: false, headers: sent }, (response) => {
    response.resume().on('end', resolve);
  });
  outgoing.on('error', reject).end();
  await promise;
}
