import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../src/api/json/json.ts';
import type { Player } from '../../test/recorded/differential/player.ts';
import { get, post, scenario, type StepResponse, type Step } from '../../test/recorded/differential/scenario.ts';
import { Random } from '../random-objects/repeatable-random.ts';
import { setUp, usedQuota } from './configurations.ts';
import { mapOf, oneOf, someOf } from './odd.ts';
import { asks, randomLimitRange, randomNamespace } from './requests.ts';

const requestsPerSeed = 14;

/** A request and what is comparable of its response. */
export interface Played {
  readonly step: Step;
  readonly answer: StepResponse | undefined;
}

/** Makes what all seeds share. */
export async function prepare(player: Player, settleMs: number): Promise<void> {
  for (const [step, { code, body }] of await player.play(scenario('set up', setUp))) {
    if (code !== 201) throw new Error(`${step}: ${JSON.stringify(body)}`);
  }
  await sleep(settleMs);
}

/** Plays the requests of a seed; `settle` lets plugins see what the namespace has. */
export async function playSeed(player: Player, seed: number, settle: () => Promise<void>): Promise<readonly Played[]> {
  const { before, requests } = stepsOf(seed);
  const first = await player.play(before);
  await settle();
  const then = await player.play(requests);
  return [...before.steps, ...requests.steps].map((step) => ({
    step,
    answer: first.get(step.name) ?? then.get(step.name),
  }));
}

function stepsOf(seed: number) {
  const random = new Random(seed);
  const space = `s${seed}`;
  const before: Step[] = [post('namespace', '/api/v1/namespaces', randomNamespace(random, space))];
  const into = (what: string, body: object) => post(what, `/api/v1/namespaces/${space}/${what}`, body);
  before.push(...accounts(random, into));
  if (random.chance(0.35)) before.push(into('limitranges', randomLimitRange(random)));
  if (random.chance(0.35)) before.push(...randomQuota(random, space));
  const total = asks.reduce((sum, [weight]) => sum + weight, 0);
  before.push(into('pods', { metadata: { name: 'p0' }, spec: { containers: [{ name: 'c0', image: 'i' }] } }));
  let made = 0;
  const requests = Array.from({ length: requestsPerSeed }, (_, index): Step => {
    let at = random.below(total);
    const [, ask] = asks.find(([weight]) => (at -= weight) < 0) ?? asks[0];
    const [, create] = asks[0];
    const chosen = index < 3 ? create : ask;
    const step = chosen(random, space, chosen === create ? `p${(made += 1)}` : `n${index}`);
    return { ...step, name: `${index}: ${step.method} ${step.path}` };
  });
  const last = random.chance(0.35) ? [get(`/api/v1/namespaces/${space}/resourcequotas`)] : [];
  return { before: scenario('before', before), requests: scenario('requests', [...requests, ...last]) };
}

function accounts(random: Random, into: (what: string, body: object) => Step): readonly Step[] {
  const account = (name: string, more: JsonObject = {}) => into('serviceaccounts', { metadata: { name }, ...more });
  const enforced = { 'kubernetes.io/enforce-mountable-secrets': 'true' };
  return [
    account('default', someOf(random, { automountServiceAccountToken: [0.3, oneOf(true, false)] })),
    account('robot', someOf(random, { imagePullSecrets: [0.5, oneOf([{ name: 'pull' }], [])] })),
    into('serviceaccounts', { metadata: { name: 'picky', annotations: enforced }, secrets: [{ name: 'listed' }] }),
  ];
}

const hardOf = mapOf(
  [
    'pods',
    'requests.cpu',
    'limits.memory',
    'cpu',
    'requests.example.com/gpu',
    'count/configmaps',
    'services',
    'services.nodeports',
    'persistentvolumeclaims',
    'requests.storage',
    'count/pods',
    'limits.cpu',
    'gold.storageclass.storage.k8s.io/requests.storage',
    'requests.ephemeral-storage',
    'services.loadbalancers',
  ],
  oneOf('1', '2', '3', '1500m', '5Gi', '0'),
  0.3,
);

function randomQuota(random: Random, space: string): readonly Step[] {
  const hard = hardOf(random) as JsonObject; // a map
  const scopes = oneOf(
    ['BestEffort'],
    ['NotBestEffort'],
    ['Terminating'],
    ['NotTerminating'],
    ['CrossNamespacePodAffinity'],
  );
  const priorities = oneOf(
    { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high', 'low'] }] },
    { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists' }] },
    { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'NotIn', values: ['high'] }] },
    { matchExpressions: [{ scopeName: 'VolumeAttributesClass', operator: 'In', values: ['fast'] }] },
  );
  const spec = someOf(random, { scopes: [0.2, scopes], scopeSelector: [0.25, priorities] });
  return usedQuota(space, hard, spec);
}
