import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../src/api/json/json.ts';
import type { ApiClient } from '../../api-client.ts';
import { type HookResponse, type HookServer, type Review, startHookServer } from '../../webhooks/hook-server.ts';
import { lossless } from '../../definitions/converted-ships.ts';
import { openShipStage, removeShips, shipsServed } from '../../definitions/conversion-webhook.ts';
import { definitionsPath, group, ship, shipsPath } from '../../definitions/definitions.ts';
import { threeVersions } from './play-converted-writes.ts';
import { invariable, shortResponse, type ShownParts } from './short-answers.ts';

/* Writes of converted objects while an admission webhook that sees them in another version answers nonsense, late or
   not at all. */

/** By step: the answer in short, and its warnings. */
export type PlayedMisanswers = { readonly [step: string]: unknown };

const shown: ShownParts = { object: ['apiVersion', 'generation', 'labels', 'spec', 'status'], details: true };
const admissionPath = '/apis/admissionregistration.k8s.io/v1';

const patched = (operations: unknown): JsonObject => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: Buffer.from(typeof operations === 'string' ? operations : JSON.stringify(operations)).toString('base64'),
});
const whole = (change: (review: Review) => unknown): ((review: Review) => HookResponse) => {
  return (review) => ({ body: change(review) });
};
const reviewed = ({ kind, apiVersion }: Review, response: unknown): JsonObject =>
  ({ kind, apiVersion, response }) as JsonObject; // what a webhook may send

const answers: { readonly [name: string]: (review: Review) => HookResponse } = {
  silence: () => ({ nothing: 'silence' }),
  'a byte now and then': () => ({ nothing: 'drip' }),
  'a cut connection': () => ({ nothing: 'cut' }),
  'half a body': () => ({ nothing: 'half' }),
  words: whole(() => 'allowed'),
  'no body': whole(() => ''),
  'code 500': () => ({ code: 500, body: 'broken' }),
  'another uid': whole((review) => reviewed(review, { uid: 'x', allowed: true })),
  'no response': whole((review) => reviewed(review, undefined)),
  'another kind': whole((review) => ({ ...reviewed(review, { uid: review.request.uid, allowed: true }), kind: 'Pod' })),
  refusal: () => ({ response: { allowed: false, status: { code: 418, message: 'no' } } }),
  'a patch that is none': () => ({ response: patched('[{') }),
  'a patch of the other version': () => ({
    response: patched([{ op: 'replace', path: '/spec/none', value: 'x' }]),
  }),
  'a patch of its name': () => ({ response: patched([{ op: 'replace', path: '/metadata/name', value: 'x' }]) }),
  'a patch of its kind': () => ({ response: patched([{ op: 'replace', path: '/kind', value: 'Boat' }]) }),
  'a patch of its version': () => ({
    response: patched([{ op: 'replace', path: '/apiVersion', value: `${group}/v1` }]),
  }),
};

export async function playMisansweredWrites(
  server: { readonly url: string; readonly kubeconfigPath: string },
  { settleMs }: { readonly settleMs: number },
): Promise<PlayedMisanswers> {
  await using opened = await openShipStage(server);
  const { client, webhook, scratchDir } = opened;
  let answer: (review: Review) => HookResponse = () => ({ response: { allowed: true } });
  await using hooks = await startHookServer(scratchDir, (_, review) => answer(review));
  const results: { [step: string]: unknown } = {};
  webhook.answer = lossless;
  await client.send('POST', definitionsPath, { body: threeVersions(webhook, 'v1') });
  await shipsServed(client);
  await client.send('POST', shipsPath(), { body: ship('one', { name: 'a', own: 'o', replicas: 1 }) });
  for (const kind of ['Mutating', 'Validating'] as const) {
    for (const failurePolicy of ['Fail', 'Ignore'] as const) {
      const path = `${admissionPath}/${kind.toLowerCase()}webhookconfigurations`;
      const { code } = await client.send('POST', path, { body: configuration(hooks, kind, failurePolicy) });
      if (code !== 201) throw new Error(`${kind}: ${code}`);
      await sleep(settleMs);
      for (const [name, given] of Object.entries(answers)) {
        answer = given;
        await playRequests(client, results, `${kind}, ${failurePolicy}, ${name}`);
      }
      await client.send('DELETE', `${path}/ships`);
      await sleep(settleMs);
    }
  }
  await removeShips(client);
  return results;
}

/** It sees ships as v2, whatever their version. */
function configuration(hooks: HookServer, kind: 'Mutating' | 'Validating', failurePolicy: string): object {
  return {
    kind: `${kind}WebhookConfiguration`,
    apiVersion: 'admissionregistration.k8s.io/v1',
    metadata: { name: 'ships' },
    webhooks: [
      {
        name: 'ships.example.com',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        timeoutSeconds: 1,
        rules: [
          {
            operations: ['*'],
            apiGroups: [group],
            apiVersions: ['v2'],
            resources: ['ships', 'ships/status', 'ships/scale'],
          },
        ],
        matchPolicy: 'Equivalent',
        failurePolicy,
        clientConfig: { url: `${hooks.url}/ships`, caBundle: hooks.caBundle },
      },
    ],
  };
}

async function playRequests(client: ApiClient, results: { [step: string]: unknown }, title: string): Promise<void> {
  const merge = 'application/merge-patch+json';
  const requests = {
    create: ['POST', `${shipsPath('v1')}?dryRun=All`, { body: ship('new', { name: 'b' }) }],
    'merge as v3': [
      ...(['PATCH', `${shipsPath('v3')}/one?dryRun=All&fieldManager=m`] as const),
      { body: { metadata: { labels: { a: 'b' } } }, contentType: merge },
    ],
    'merge the status as v2': [
      ...(['PATCH', `${shipsPath('v2')}/one/status?dryRun=All&fieldManager=m`] as const),
      { body: { status: { phase: 'q' } }, contentType: merge },
    ],
    delete: ['DELETE', `${shipsPath('v1')}/one?dryRun=All`, {}],
  } as const;
  // A request that waits does not hold up the others.
  const played = Object.entries(requests).map(async ([step, [method, path, request]]) => {
    const { code, headers, body } = await client.send(method, path, request);
    const warning = headers['warning'];
    return [
      `${title}: ${step}`,
      invariable({ answer: shortResponse(code, body, shown), ...(warning === undefined ? {} : { warning }) }),
    ] as const;
  });
  for (const [step, answer] of await Promise.all(played)) results[step] = answer;
}
