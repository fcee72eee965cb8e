import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import type { ApiClient, Request } from '../../api-client.ts';
import { conversions, nameFields, type Version, versions } from '../../definitions/converted-ships.ts';
import {
  type ConversionWebhook,
  convertedShips,
  openShipStage,
  removeShips,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { writesOf } from './converted-writes.ts';
import { definitionsPath, group, shipsPath } from '../../definitions/definitions.ts';
import { shortResponse, type ShownParts } from './short-answers.ts';

/* Every kind of write through three versions of a definition, with webhooks that lose, add and change fields and
   metadata, or fail for one version, before and after the storage version changes. */

const shown: ShownParts = {
  object: ['kind', 'generation', 'labels', 'annotations', 'finalizers', 'isHeld', 'spec', 'status'],
  details: true,
};

/** By step: the object in short. */
export type PlayedWrites = { readonly [step: string]: unknown };

interface Stage {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
  readonly results: { [step: string]: unknown };
}

export async function playConvertedWrites(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedWrites> {
  await using opened = await openShipStage(server);
  const { client, webhook } = opened;
  const stage: Stage = { client, webhook, results: {} };
  for (const [conversion, answer] of Object.entries(conversions)) {
    webhook.answer = answer;
    await client.send('POST', definitionsPath, { body: threeVersions(webhook, 'v1') });
    await served(client, settleMs);
    for (const version of versions) await playVersion(stage, version, `${conversion}, ${version}`);
    await client.send('PATCH', `${definitionsPath}/ships.${group}`, {
      body: { spec: { versions: versionsOf('v2') } },
      contentType: 'application/merge-patch+json',
    });
    await served(client, settleMs);
    for (const version of versions) await playVersion(stage, version, `${conversion}, then stored as v2, ${version}`);
    webhook.answer = undefined;
    await removeShips(client);
  }
  return stage.results;
}

async function served(client: ApiClient, settleMs: number): Promise<void> {
  await shipsServed(client);
  await sleep(settleMs);
}

async function playVersion({ client, results }: Stage, version: Version, title: string): Promise<void> {
  const name = title.replaceAll(/[ ,]+/g, '-');
  const send = async (step: string, method: string, path: string, request: Request = {}): Promise<JsonObject> => {
    const { code, body } = await client.send(method, path, request);
    results[`${title}: ${step}`] = shortResponse(code, body, shown);
    return body;
  };
  let current: JsonObject = {};
  for (const [step, write] of Object.entries(writesOf(name, version))) {
    const { method, suffix = `/${name}`, through = version, ...request } = write(current);
    const body = await send(step, method, `${shipsPath(through)}${suffix}`, request);
    if (body['kind'] === 'Ship' && through === version && !suffix.includes('dryRun')) current = body;
  }
}

export function threeVersions(webhook: ConversionWebhook, storage: Version): object {
  return convertedShips(webhook, versionsOf(storage));
}

/** The storage version comes first. */
function versionsOf(storage: Version): { readonly name: Version; readonly [more: string]: unknown }[] {
  return versions
    .toSorted((a, b) => Number(b === storage) - Number(a === storage))
    .map((name) => ({
      name,
      served: true,
      storage: name === storage,
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      schema: { openAPIV3Schema: schemaOf(name) },
    }));
}

function schemaOf(version: Version): object {
  const [text, number] = [{ type: 'string' }, { type: 'integer' }];
  const properties = (fields: object): object => ({ type: 'object', properties: fields });
  const spec = {
    [nameFields[version]]: text,
    own: text,
    given: { ...text, default: `of ${version}` },
    replicas: number,
    parts: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: { ...properties({ name: text, size: number, own: text }), required: ['name'] },
    },
    tags: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
    numbers: { type: 'array', items: number },
  };
  return properties({ spec: properties(spec), status: properties({ phase: text, own: text, replicas: number }) });
}
