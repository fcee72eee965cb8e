import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import { ApiClient } from '../api-client.ts';
import { startConversionWebhook } from '../definitions/conversion-webhook.ts';
import type { ClientProgram, Server, Steps } from './program.ts';

const group = 'harbor.example.com';
const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const shipsPath = `${definitionsPath}/ships.${group}`;

function definition({ url, caBundle }: { readonly url: string; readonly caBundle: string }): object {
  const version = (name: string, field: string, storage: boolean): object => {
    const spec = { type: 'object', properties: { [field]: { type: 'string' } } };
    return {
      name,
      served: true,
      storage,
      additionalPrinterColumns: [{ name: field, type: 'string', jsonPath: `.spec.${field}` }],
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
    };
  };
  const webhook = { conversionReviewVersions: ['v1'], clientConfig: { url, caBundle } };
  return {
    metadata: { name: `ships.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'ships', kind: 'Ship' },
      versions: [version('v1', 'name', true), version('v2', 'title', false)],
      conversion: { strategy: 'Webhook', webhook },
    },
  };
}

/** Polls the definition until it has the expected state. */
async function until(client: ApiClient, isWanted: (answer: JsonObject) => boolean): Promise<void> {
  for (let left = 600; left > 0; left--) {
    if (isWanted((await client.send('GET', shipsPath)).body)) return;
    await delay(50);
  }
  throw new Error('the definition of ships does not become what it should');
}

/** A program that uses ships in two versions, converted by a webhook; `name` is its name in recordings. */
export function withShips(name: string, { missing, run }: Pick<ClientProgram, 'missing' | 'run'>): ClientProgram {
  return { name, missing, run: (server, namespace) => runWithShips(server, namespace, run) };
}

async function runWithShips(server: Server, namespace: string, run: ClientProgram['run']): Promise<Steps> {
  const folder = await mkdtemp(join(tmpdir(), 'binnacle-ships-'));
  using client = await ApiClient.connect(server);
  try {
    await using webhook = await startConversionWebhook(folder);
    await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
    await client.send('POST', definitionsPath, { body: definition(webhook) });
    await until(client, ({ status }) => JSON.stringify(status ?? {}).includes('InitialNamesAccepted'));
    const steps = await run(server, namespace);
    await client.send('DELETE', shipsPath);
    await until(client, ({ code }) => code === 404);
    return steps;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
