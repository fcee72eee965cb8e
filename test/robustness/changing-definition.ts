import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../api-client.ts';
import { Connection, type Endpoint } from './connection.ts';
import { customGroup, subjects } from './objects.ts';
import type { Random } from './random.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const plural = 'shiprevisions';
const name = `${plural}.${customGroup}`;
const requestMs = 4000;
const maxPauseMs = 600;
const servedMs = 20_000;

/** What clients see of objects is the same whatever the state. */
interface State {
  readonly stored: 'v1' | 'v2';
  /** Fields that no object has. */
  readonly fields: number;
  readonly column: boolean;
}

function versionsOf({ stored, fields, column }: State): object[] {
  const properties = Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, text]));
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } };
  const columns = column ? [{ name: 'Write', type: 'string', jsonPath: '.metadata.annotations.write' }] : [];
  return ['v1', 'v2'].map((version) => ({
    name: version,
    served: true,
    storage: version === stored,
    schema,
    additionalPrinterColumns: columns,
  }));
}

const text = { type: 'string' };

/** Creates the definition, and waits until each server serves its kind. */
export async function define(clients: readonly ApiClient[]): Promise<void> {
  const names = { plural, kind: subjects.custom.kind };
  const versions = versionsOf({ stored: 'v1', fields: 0, column: false });
  const body = { metadata: { name }, spec: { group: customGroup, scope: 'Namespaced', names, versions } };
  const answer = await clients[0]?.send('POST', definitionsPath, { body });
  if (answer?.code !== 201) throw new Error(`no definition: ${JSON.stringify(answer?.body)}`);
  const deadlineMs = performance.now() + servedMs;
  for (const client of clients) {
    while (!(await isServed(client))) {
      if (performance.now() > deadlineMs) throw new Error('the custom kind is not served');
      await sleep(20);
    }
  }
}

async function isServed(client: ApiClient): Promise<boolean> {
  const { body } = await client.send('GET', `/apis/${customGroup}`).catch(() => ({ body: {} }));
  return JSON.stringify(body).includes('v1');
}

/** Changes the definition again and again, and tells of each change; requests that fail are forgotten. */
export async function changeDefinition(
  endpoint: Endpoint,
  random: Random,
  until: AbortSignal,
  onChange: () => void,
): Promise<void> {
  const connection = new Connection(endpoint);
  while (!until.aborted) {
    const state = {
      stored: random.pick(['v1', 'v2'] as const),
      fields: random.integer(0, 5),
      column: random.chance(0.5),
    };
    try {
      const { client } = await connection.get();
      const { code } = await client.send('PATCH', `${definitionsPath}/${name}`, {
        contentType: 'application/merge-patch+json',
        body: { spec: { versions: versionsOf(state) } },
        signal: AbortSignal.timeout(requestMs),
      });
      if (code === 200) onChange();
    } catch {
      // Faults are part of the run.
      connection.drop();
    }
    await sleep(random.integer(0, maxPauseMs));
  }
  connection.drop();
}
