import { setTimeout as sleep } from 'node:timers/promises';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/api/json/json.ts';
import type { ApiClient } from '../../api-client.ts';
import { type HookResponse, type HookServer, type Review, startHookServer } from '../../webhooks/hook-server.ts';
import { conversions, lossless, nameFields, type Version, versions } from '../../definitions/converted-ships.ts';
import {
  type ConversionWebhook,
  openShipStage,
  removeShips,
  reviewOf,
  shipsServed,
} from '../../definitions/conversion-webhook.ts';
import { definitionsPath, group, ship, shipsPath } from '../../definitions/definitions.ts';
import { threeVersions } from './play-converted-writes.ts';
import { invariable, objectOf, shortResponse, type ShownParts } from './short-answers.ts';

/* Writes through three versions of a definition that webhooks and policies see in another version than that of the
   request, while the conversion between them works, changes something or fails. */

/** By step: the answer in short, its warnings, and what webhooks were asked. */
export type PlayedReviews = { readonly [step: string]: unknown };

const shown: ShownParts = { object: ['apiVersion', 'generation', 'labels', 'spec', 'status'], details: true };
const admissionPath = '/apis/admissionregistration.k8s.io/v1';

type Conversion = NonNullable<ConversionWebhook['answer']>;

const brokenTo =
  (version: string): Conversion =>
  (review) =>
    review.request.desiredAPIVersion.endsWith(`/${version}`) ? { code: 500, body: 'broken' } : lossless(review);

const badly =
  (change: (response: { readonly convertedObjects: JsonObject[] }) => object): Conversion =>
  (review) => {
    const { body } = lossless(review);
    // As the conversion above makes it.
    const { response } = body as { response: { convertedObjects: JsonObject[] } };
    return { body: reviewOf({ ...response, ...change(response) }) };
  };

/** What is done to objects on their way; those of converted-ships, and ones that fail. */
const ways: { readonly [name: string]: Conversion } = {
  lossless,
  ...conversions,
  'broken to v1': brokenTo('v1'),
  'broken to v2': brokenTo('v2'),
  refusing: badly(() => ({ result: { status: 'Failure', message: 'not today' } })),
  'with another uid': badly(() => ({ uid: 'x' })),
  'without objects': badly(() => ({ convertedObjects: [] })),
  'with another kind': badly(({ convertedObjects: all }) => ({
    convertedObjects: all.map((object) => ({ ...object, kind: 'Boat' })),
  })),
  'with another name': badly(({ convertedObjects: all }) => ({
    convertedObjects: all.map((object) => ({ ...object, metadata: { ...(object['metadata'] as object), name: 'x' } })),
  })),
  'cut off': () => ({ body: '', breaks: 'before' }),
};

interface Stage {
  readonly client: ApiClient;
  readonly hooks: HookServer;
  readonly results: { [step: string]: unknown };
  readonly settleMs: number;
}

export async function playReviewedWrites(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedReviews> {
  await using opened = await openShipStage(server);
  const { client, webhook, scratchDir } = opened;
  await using hooks = await startHookServer(scratchDir, answerOf);
  const stage: Stage = { client, hooks, results: {}, settleMs };
  for (const [seer, configurations] of Object.entries(seers(hooks))) {
    for (const [way, conversion] of Object.entries(ways)) {
      webhook.answer = conversion;
      await client.send('POST', definitionsPath, { body: threeVersions(webhook, 'v1') });
      await shipsServed(client);
      for (const [path, body] of configurations) await created(client, path, body);
      await sleep(settleMs);
      for (const version of versions) await playVersion(stage, version, `${seer}, ${way}, ${version}`);
      for (const [path, body] of configurations) await client.send('DELETE', `${path}/${body.metadata.name}`);
      webhook.answer = undefined;
      await removeShips(client);
    }
  }
  return stage.results;
}

async function created(client: ApiClient, path: string, body: object): Promise<void> {
  const answer = await client.send('POST', path, { body });
  if (answer.code !== 201) throw new Error(JSON.stringify(answer.body));
}

interface Configuration {
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

const addsOwn = "[JSONPatch{op: 'add', path: '/spec/own', value: 'of a policy'}]";

/** What sees writes: webhooks, or policies. */
function seers(hooks: HookServer): {
  readonly [name: string]: readonly (readonly [path: string, body: Configuration])[];
} {
  const rule = (version: string): object => ({
    operations: ['*'],
    apiGroups: [group],
    apiVersions: [version],
    resources: ['ships', 'ships/status', 'ships/scale'],
  });
  const configuration = (kind: string, name: string, more: object): Configuration => ({
    kind,
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name: `ships-${name}` },
    ...more,
  });
  const hook = (kind: 'Mutating' | 'Validating', name: string, version: string, more: object = {}) =>
    [
      `${admissionPath}/${kind.toLowerCase()}webhookconfigurations`,
      configuration(`${kind}WebhookConfiguration`, name, {
        webhooks: [
          {
            name: `${name}.example.com`,
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            rules: [rule(version)],
            matchPolicy: 'Equivalent',
            clientConfig: { url: `${hooks.url}/${name}`, caBundle: hooks.caBundle },
            ...more,
          },
        ],
      }),
    ] as const;
  const policy = (kind: 'Mutating' | 'Validating', name: string, version: string, more: object) => {
    const plural = `${admissionPath}/${kind.toLowerCase()}admissionpolic`;
    const constraints = { matchConstraints: { resourceRules: [rule(version)] }, failurePolicy: 'Fail' };
    const bound = { policyName: `ships-${name}`, ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}) };
    return [
      [`${plural}ies`, configuration(`${kind}AdmissionPolicy`, name, { spec: { ...constraints, ...more } })],
      [`${plural}ybindings`, configuration(`${kind}AdmissionPolicyBinding`, name, { spec: bound })],
    ] as const;
  };
  const condition = { name: 'spec', expression: "request.subResource == '' && object != null && has(object.spec)" };
  return {
    webhooks: [
      hook('Mutating', 'a-changes', 'v2'),
      hook('Mutating', 'b-looks', 'v3'),
      hook('Validating', 'c-exactly', 'v3', { matchPolicy: 'Exact' }),
      hook('Validating', 'd-validates', 'v1'),
    ],
    policies: [
      ...policy('Mutating', 'changes', 'v2', {
        reinvocationPolicy: 'Never',
        matchConditions: [condition],
        mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression: addsOwn } }],
      }),
      ...policy('Validating', 'validates', 'v3', {
        matchConditions: [condition],
        validations: [
          {
            expression: "!has(object.spec.name) || object.spec.name != 'no'",
            messageExpression: "'not ' + object.spec.name + ' of ' + object.apiVersion + ', ' + request.kind.version",
          },
        ],
      }),
    ],
  };
}

/** The first webhook changes a field of v2, and all warn. */
function answerOf(path: string, { request }: Review): HookResponse {
  const { object, kind, subResource } = request;
  const warnings = [`${path} saw ${(kind as { version: string }).version}`];
  const isChanged = path === '/a-changes' && isJsonObject(object) && isJsonObject(object['spec']) && !subResource;
  if (!isChanged) return { response: { allowed: true, warnings } };
  const operations = [{ op: 'add', path: '/spec/own', value: 'of a webhook' }];
  const patch = Buffer.from(JSON.stringify(operations)).toString('base64');
  return { response: { allowed: true, warnings, patchType: 'JSONPatch', patch } };
}

async function playVersion(
  { client, hooks, results, settleMs }: Stage,
  version: Version,
  title: string,
): Promise<void> {
  const name = `of-${version}`;
  // Nothing is converted on the way to where it is stored.
  await client.send('POST', shipsPath(), {
    body: ship(name, { name: 'a', own: 'o', replicas: 1, parts: [{ name: 'x' }] }),
  });
  for (const [step, [method, suffix, request]] of Object.entries(requestsOf(name, version))) {
    // A cache that is behind would make the reference ask the webhooks again.
    await sleep(settleMs / 40);
    hooks.received.length = 0;
    const { code, headers, body } = await client.send(method, `${shipsPath(version)}${suffix}`, request);
    // Validating webhooks answer in any order.
    const warning = String(headers['warning'] ?? '')
      .split(', ')
      .toSorted();
    const reviews = hooks.received.map(({ path, review }) => reviewOfShip(path, review));
    results[`${title}: ${step}`] = invariable({
      answer: shortResponse(code, body, shown),
      ...(warning[0] === '' ? {} : { warning }),
      ...(reviews.length === 0 ? {} : { reviews: reviews.toSorted() }),
    });
  }
}

type Sent = readonly [method: string, suffix: string, request: Parameters<ApiClient['send']>[2]];

function requestsOf(name: string, version: Version): { readonly [step: string]: Sent } {
  const [merge, json, apply] = ['merge-patch+json', 'json-patch+json', 'apply-patch+yaml'].map(
    (type) => `application/${type}`,
  ) as [string, string, string];
  const spec = { [nameFields[version]]: 'b', own: 'p' };
  const scale = { kind: 'Scale', apiVersion: 'autoscaling/v1', metadata: { name }, spec: { replicas: 2 } };
  return {
    'create dry': ['POST', '?dryRun=All', { body: ship('new', spec, version) }],
    'create what is refused': ['POST', '?dryRun=All', { body: ship('no', { [nameFields[version]]: 'no' }, version) }],
    put: ['PUT', `/${name}?fieldManager=p`, { body: ship(name, spec, version) }],
    merge: ['PATCH', `/${name}?fieldManager=m`, { body: { spec: { tags: ['t'] } }, contentType: merge }],
    'merge nothing': ['PATCH', `/${name}?fieldManager=m`, { body: {}, contentType: merge }],
    'JSON patch': [
      'PATCH',
      `/${name}?fieldManager=j`,
      { body: [{ op: 'add', path: '/metadata/labels', value: { l: '1' } }], contentType: json },
    ],
    apply: ['PATCH', `/${name}?fieldManager=a&force=true`, { body: ship(name, spec, version), contentType: apply }],
    'apply anew, dry': [
      'PATCH',
      '/new?fieldManager=a&dryRun=All',
      { body: ship('new', spec, version), contentType: apply },
    ],
    'merge the status': [
      'PATCH',
      `/${name}/status?fieldManager=s`,
      { body: { status: { phase: 'q' } }, contentType: merge },
    ],
    'put the scale': ['PUT', `/${name}/scale?fieldManager=c`, { body: scale }],
    'delete dry': ['DELETE', `/${name}?dryRun=All`, {}],
    'delete all, dry': ['DELETE', `?dryRun=All&fieldSelector=metadata.name%3D${name}`, {}],
    delete: ['DELETE', `/${name}`, {}],
  };
}

function reviewOfShip(path: string, { request }: Review): string {
  const { operation, kind, resource, requestKind, requestResource, name = '', dryRun = false } = request;
  const { subResource = '', requestSubResource = '', object = null, oldObject = null } = request;
  const versionsOf = [kind, resource, requestKind, requestResource].map(
    (each) => (each as { version: string }).version,
  );
  const parts = [operation, versionsOf.join(' '), subResource, requestSubResource, name, dryRun];
  return `${path}: ${JSON.stringify([...parts, shipOf(object), shipOf(oldObject)])}`;
}

function shipOf(object: JsonValue): JsonValue {
  return isJsonObject(object) ? invariable(objectOf(object, shown)) : object;
}
