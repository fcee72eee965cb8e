import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiClient, type Request } from '../../api-client.ts';
import {
  type ConversionWebhook,
  openShipStage,
  reviewOf,
  scaledShips,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { definitionsPath, group, ship, shipsPath } from '../../definitions/definitions.ts';
import { shortResponse, type ShownParts } from './short-answers.ts';

/* Every kind of request through the storage version (v1) and through another one (v2), while the webhook that converts
   between them fails, in several ways. */

const shown: ShownParts = { object: ['kind', 'generation', 'labels', 'spec', 'status'], details: true };

/** Responses by step: objects in short, statuses without what varies. */
export type PlayedWrites = { readonly [step: string]: unknown };

type Responder = NonNullable<ConversionWebhook['answer']>;

const success = { status: 'Success' };

/** The target is the version that the webhook fails to convert to; absent: any. */
interface Failure {
  readonly target?: string;
  readonly answer: Responder;
}

type Converted = Parameters<Responder>[0]['request']['objects'];

function answering(change: (objects: Converted, target: string) => unknown[]): Responder {
  return ({ request: { uid, objects, desiredAPIVersion } }) => {
    const convertedObjects = change(objects, desiredAPIVersion);
    return { body: reviewOf({ uid, result: success, convertedObjects }) };
  };
}

const broken: Responder = () => ({ code: 500, body: 'broken' });

const failures: { readonly [name: string]: Failure } = {
  broken: { answer: broken },
  'broken to v1': { target: 'v1', answer: broken },
  'broken to v2': { target: 'v2', answer: broken },
  'no response': { answer: () => ({ body: reviewOf({}) }) },
  refused: {
    answer: ({ request: { uid } }) => ({ body: reviewOf({ uid, result: { status: 'Failure', message: 'no' } }) }),
  },
  'no objects': { answer: answering(() => []) },
  'another version': { answer: answering((objects) => [...objects]) },
  'another name': {
    answer: answering((objects, apiVersion) =>
      objects.map((object) => ({ ...object, apiVersion, metadata: { ...object.metadata, name: 'x' } })),
    ),
  },
  'no metadata': {
    answer: answering((objects, apiVersion) => objects.map(({ kind }) => ({ apiVersion, kind }))),
  },
};

const merge = 'application/merge-patch+json';
const jsonPatch = 'application/json-patch+json';
const apply = 'application/apply-patch+yaml';

export async function playFailingWrites(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedWrites> {
  await using stage = await openShipStage(server);
  const { client, webhook } = stage;
  await client.send('POST', definitionsPath, { body: scaledShips(webhook) });
  await shipsServed(client);
  await sleep(settleMs);
  const results: { [step: string]: unknown } = {};
  for (const [name, failure] of Object.entries(failures))
    await playFailure({ client, webhook, results }, name, failure);
  return results;
}

interface Stage {
  readonly client: ApiClient;
  readonly webhook: ConversionWebhook;
  readonly results: { [step: string]: unknown };
}

async function playFailure({ client, webhook, results }: Stage, name: string, failure: Failure): Promise<void> {
  const one = name.replaceAll(' ', '-');
  const body = { ...ship(one, { name: 'a', replicas: 1 }), status: { phase: 'p' } };
  await client.send('POST', `${shipsPath()}?fieldManager=maker`, { body });
  const stored = (await client.send('GET', `${shipsPath()}/${one}`)).body;
  for (const version of ['v1', 'v2']) {
    for (const [request, [method, path, sent]] of Object.entries(requestsOf(one, version, stored))) {
      webhook.answer = answerOf(webhook, failure);
      const answer = await client.exchange(method, `${shipsPath(version)}${path}`, sent);
      webhook.answer = undefined;
      results[`${name}, ${version}: ${request}`] = shortResponse(
        answer.code,
        JSON.parse(answer.text) as JsonObject,
        shown,
      );
    }
  }
}

/** A webhook that fails for one version converts to the other. */
function answerOf(webhook: ConversionWebhook, { target, answer }: Failure): Responder {
  return (review) => {
    if (target === undefined || review.request.desiredAPIVersion.endsWith(`/${target}`)) return answer(review);
    return webhook.converted(review);
  };
}

type Sent = readonly [method: string, path: string, request: Request];

function requestsOf(name: string, version: string, stored: JsonObject): { readonly [request: string]: Sent } {
  const spec = version === 'v1' ? { name: 'b' } : { title: 'b' };
  const whole = { ...stored, apiVersion: `${group}/${version}`, spec };
  const applied = ship(name, spec, version);
  const labels = { metadata: { labels: { a: version } } };
  const dry = 'dryRun=All&fieldManager=m';
  const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name }, spec: { replicas: 2 } };
  return {
    get: ['GET', `/${name}`, {}],
    create: ['POST', `?${dry}`, { body: ship(`${name}-new`, spec, version) }],
    'create again': ['POST', `?${dry}`, { body: applied }],
    put: ['PUT', `/${name}?${dry}`, { body: whole }],
    'put without changes': [
      'PUT',
      `/${name}?fieldManager=m`,
      { body: { ...whole, spec: { title: 'a', name: 'a', replicas: 1 } } },
    ],
    'put in earnest': [
      'PUT',
      `/${name}?fieldManager=m`,
      { body: { ...whole, metadata: { ...(stored['metadata'] as object), resourceVersion: '1' } } },
    ],
    'put what is not there': ['PUT', '/absent', { body: { ...applied, metadata: { name: 'absent' } } }],
    merge: ['PATCH', `/${name}?${dry}`, { body: labels, contentType: merge }],
    'merge in earnest': ['PATCH', `/${name}?fieldManager=m`, { body: labels, contentType: merge }],
    'merge nothing': ['PATCH', `/${name}?fieldManager=m`, { body: {}, contentType: merge }],
    'json patch': [
      'PATCH',
      `/${name}?fieldManager=m`,
      { body: [{ op: 'add', path: '/metadata/labels', value: { b: version } }], contentType: jsonPatch },
    ],
    apply: ['PATCH', `/${name}?fieldManager=m&force=true`, { body: applied, contentType: apply }],
    'dry apply': ['PATCH', `/${name}?${dry}&force=true`, { body: applied, contentType: apply }],
    'apply anew': ['PATCH', `/${name}-anew?${dry}`, { body: ship(`${name}-anew`, spec, version), contentType: apply }],
    'get status': ['GET', `/${name}/status`, {}],
    'put status': [
      'PUT',
      `/${name}/status?fieldManager=m`,
      { body: { ...whole, metadata: { name }, status: { phase: 'q' } } },
    ],
    'merge status': [
      'PATCH',
      `/${name}/status?fieldManager=m`,
      { body: { status: { phase: 'r' } }, contentType: merge },
    ],
    'apply status': [
      'PATCH',
      `/${name}/status?fieldManager=m&force=true`,
      { body: { ...applied, status: { phase: 's' } }, contentType: apply },
    ],
    'get scale': ['GET', `/${name}/scale`, {}],
    'put scale': ['PUT', `/${name}/scale`, { body: scale }],
    'merge scale': ['PATCH', `/${name}/scale`, { body: { spec: { replicas: 3 } }, contentType: merge }],
    'dry delete': ['DELETE', `/${name}?dryRun=All`, {}],
    'delete with preconditions': ['DELETE', `/${name}`, { body: { preconditions: { uid: 'x' } } }],
    'delete what is not there': ['DELETE', '/absent', {}],
    ...(version === 'v2' ? { delete: ['DELETE', `/${name}`, {}] } : {}),
  };
}
