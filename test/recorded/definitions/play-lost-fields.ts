import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient, type Request } from '../../api-client.ts';
import {
  type ConversionWebhook,
  convertedShips,
  openShipStage,
  removeShips,
  reviewOf,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { definitionsPath, ship, shipsPath } from '../../definitions/definitions.ts';
import { shortResponse, type ShownParts } from './short-answers.ts';

/* Objects of a definition whose conversion keeps only names: defaults and values of either version are lost on the way
   to the other. */

const shown: ShownParts = { object: ['generation', 'spec', 'status'] };

/** By step: the object in short. */
export type PlayedLosses = { readonly [step: string]: unknown };

const [merge, apply] = ['application/merge-patch+json', 'application/apply-patch+yaml'];
const versions = ['v1', 'v2'] as const;
/** The field that holds the name. */
const nameFields = { v1: 'name', v2: 'title' } as const;

function definition(webhook: ConversionWebhook, storage: string): object {
  const [text, status] = [{ type: 'string' }, { type: 'object', properties: { phase: { type: 'string' } } }];
  const served = versions.map((name) => ({
    name,
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: 'object',
        properties: {
          spec: {
            type: 'object',
            properties: { [nameFields[name]]: text, own: text, given: { ...text, default: `of ${name}` } },
          },
          status,
        },
      },
    },
  }));
  return convertedShips(
    webhook,
    served.toSorted((a, b) => Number(b.name === storage) - Number(a.name === storage)),
  );
}

const lossy: NonNullable<ConversionWebhook['answer']> = ({ request: { uid, objects, desiredAPIVersion } }) => {
  const field = desiredAPIVersion.endsWith('/v1') ? 'name' : 'title';
  const convertedObjects = objects.map(({ spec = {}, ...object }) => ({
    ...object,
    apiVersion: desiredAPIVersion,
    spec: { [field]: spec.name ?? spec.title ?? '' },
  }));
  return { body: reviewOf({ uid, result: { status: 'Success' }, convertedObjects }) };
};

export async function playLostFields(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedLosses> {
  await using stage = await openShipStage(server);
  const { client, webhook } = stage;
  webhook.answer = lossy;
  const results: { [step: string]: unknown } = {};
  for (const storage of versions) {
    await client.send('POST', definitionsPath, { body: definition(webhook, storage) });
    await shipsServed(client);
    await sleep(settleMs);
    for (const version of versions) await playVersion({ client, results, storage }, version);
    await removeShips(client);
  }
  return results;
}

interface Stage {
  readonly client: ApiClient;
  readonly results: { [step: string]: unknown };
  readonly storage: string;
}

type Version = (typeof versions)[number];
type Sent = readonly [method: string, path: string, request: Request];

async function playVersion({ client, results, storage }: Stage, version: Version): Promise<void> {
  const name = `of-${storage}-by-${version}`;
  const path = shipsPath(version);
  for (const [step, sent] of Object.entries(requestsOf(name, version))) {
    const [method, suffix, request] =
      typeof sent === 'function' ? sent((await client.send('GET', `${path}/${name}`)).body) : sent;
    const { code, body } = await client.send(method, `${path}${suffix}`, request);
    results[`stored as ${storage}, ${version}: ${step}`] = shortResponse(code, body, shown);
  }
  for (const read of versions) {
    const { code, body } = await client.send('GET', `${shipsPath(read)}/${name}`);
    results[`stored as ${storage}, ${version}: seen as ${read}`] = shortResponse(code, body, shown);
  }
}

function requestsOf(
  name: string,
  version: Version,
): { readonly [step: string]: Sent | ((current: JsonObject) => Sent) } {
  const field = nameFields[version];
  const patched = (spec: object): Request => ({ body: { spec }, contentType: merge });
  const applied = (spec: object): Request => ({ body: ship(name, spec, version), contentType: apply });
  const other = `${name}-applied`;
  const alone = (spec: object): Request => ({ body: ship(other, spec, version), contentType: apply });
  return {
    create: ['POST', '?fieldManager=maker', { body: ship(name, { [field]: 'a', own: 'o' }, version) }],
    'an empty patch': ['PATCH', `/${name}?fieldManager=m`, patched({})],
    'the same again': (current) => ['PUT', `/${name}?fieldManager=m`, { body: current }],
    'a value in place of the default': ['PATCH', `/${name}?fieldManager=m`, patched({ given: 'x' })],
    'another name': ['PATCH', `/${name}?fieldManager=m`, patched({ [field]: 'b' })],
    'what is lost': ['PATCH', `/${name}?fieldManager=m`, patched({ own: 'p' })],
    status: ['PATCH', `/${name}/status?fieldManager=s`, { body: { status: { phase: 'p' } }, contentType: merge }],
    'an apply of the name': ['PATCH', `/${name}?fieldManager=a&force=true`, applied({ [field]: 'c' })],
    'the same apply': ['PATCH', `/${name}?fieldManager=a&force=true`, applied({ [field]: 'c' })],
    'an apply of the default': [
      'PATCH',
      `/${name}?fieldManager=a&force=true`,
      applied({ [field]: 'c', given: `of ${version}` }),
    ],
    'an apply of another value': ['PATCH', `/${name}?fieldManager=a&force=true`, applied({ [field]: 'c', given: 'y' })],
    'an apply without it': ['PATCH', `/${name}?fieldManager=a&force=true`, applied({ [field]: 'c' })],
    'an apply of what is lost': ['PATCH', `/${name}?fieldManager=a&force=true`, applied({ [field]: 'c', own: 'q' })],
    'an apply that creates': ['PATCH', `/${other}?fieldManager=a`, alone({ [field]: 'c', own: 'q' })],
    'that again': ['PATCH', `/${other}?fieldManager=a`, alone({ [field]: 'c', own: 'q' })],
    'that with the default': ['PATCH', `/${other}?fieldManager=a`, alone({ [field]: 'c', given: `of ${version}` })],
  };
}
