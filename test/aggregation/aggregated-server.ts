import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiConfig, configDefaults, type ServerConfig } from '../../src/server/config.ts';
import { ApiClient } from '../api-client.ts';
import { asAlone, startTestServer, type TestServer } from '../server-fixture.ts';
import {
  type ExtensionServer,
  group,
  serviceName,
  serviceNamespace,
  startExtensionServer,
} from './extension-server.ts';

/** A server with another one behind it. */
export interface AggregatedServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly extension: ExtensionServer;
  readonly client: ApiClient;
}

/** Resolves once requests are passed on. */
export async function startAggregatedServer(
  config: Partial<ServerConfig> = {},
  api: Partial<ApiConfig> = {},
): Promise<AggregatedServer> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-aggregation-'));
  const extension = await startExtensionServer(folder);
  const { certFile: proxyClientCertFile, keyFile: proxyClientKeyFile } = extension.proxyFiles;
  const aggregation = { ...configDefaults.aggregation, proxyClientCertFile, proxyClientKeyFile };
  const logging = { level: 'silent' } as const;
  const server = await startTestServer(api, {}, { config: { ...asAlone, aggregation, logging, ...config } });
  const client = await ApiClient.connect(server);
  await register(client, extension);
  return {
    server,
    extension,
    client,
    async [Symbol.asyncDispose]() {
      client[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
      await extension[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function register(client: ApiClient, { port, caBundle }: ExtensionServer): Promise<void> {
  const name = `v1.${group}`;
  const spec = { type: 'ExternalName', externalName: 'localhost' };
  const service = { namespace: serviceNamespace, name: serviceName, port };
  const priorities = { groupPriorityMinimum: 2000, versionPriority: 10 };
  const created = [
    ['/api/v1/namespaces', { metadata: { name: serviceNamespace } }],
    [`/api/v1/namespaces/${serviceNamespace}/services`, { metadata: { name: serviceName }, spec }],
    [
      '/apis/apiregistration.k8s.io/v1/apiservices',
      { metadata: { name }, spec: { group, version: 'v1', ...priorities, caBundle, service } },
    ],
  ] as const;
  for (const [path, body] of created) {
    const answer = await client.send('POST', path, { body });
    if (answer.code !== 201) throw new Error(JSON.stringify(answer.body));
  }
  const isServed = async (): Promise<boolean> => (await client.exchange('GET', `/apis/${group}/v1`, {})).code === 200;
  for (const endMs = performance.now() + 10_000; !(await isServed()); await sleep(10)) {
    if (performance.now() > endMs) throw new Error('the extension server is not available');
  }
}
