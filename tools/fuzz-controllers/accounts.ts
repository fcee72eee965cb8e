import type { JsonObject } from '../../src/api/json/json.ts';
import { oneOf, someOf } from '../fuzz-admission/odd.ts';
import type { Random } from '../random-objects/repeatable-random.ts';
import { type Deeds, inSpace, makeSpace, patch, post, remove, type Step, type Subject } from './subject.ts';

const names = ['robot', 'default', 'other'];

function randomSecret(random: Random, name: string): JsonObject {
  return {
    metadata: {
      name,
      ...someOf(random, {
        annotations: [
          0.95,
          (from) => ({
            'kubernetes.io/service-account.name': from.pick([...names, 'robot', 'nobody', '']) ?? '',
            ...someOf(from, { 'kubernetes.io/service-account.uid': [0.15, oneOf('wrong', '')] }),
          }),
        ],
        labels: [0.2, oneOf({ 'kubernetes.io/legacy-token-last-used': '2020-01-01' }, { a: 'b' })],
        finalizers: [0.1, oneOf(['example.com/f'])],
      }),
    },
    type: random.pick(['kubernetes.io/service-account-token', 'kubernetes.io/service-account-token', 'Opaque']) ?? '',
    ...someOf(random, {
      data: [0.2, oneOf({ token: 'eA==' }, { 'ca.crt': 'eA==' }, { namespace: 'eA==', extra: 'eA==' })],
    }),
  };
}

function deeds(random: Random, space: string): Deeds {
  const account = (name: string): Step =>
    post(inSpace(space, 'serviceaccounts'), {
      metadata: { name, ...someOf(random, { finalizers: [0.1, oneOf(['example.com/f'])] }) },
      ...someOf(random, {
        secrets: [0.5, oneOf([{ name: 'one' }, { name: 'two' }], [{ name: 'absent' }], [])],
        imagePullSecrets: [0.2, oneOf([{ name: 'one' }])],
      }),
    });
  const secretNames = ['one', 'two', 'three'];
  const change = (): Step => {
    const name = random.pick(names) ?? '';
    const secret = random.pick(secretNames) ?? '';
    const choices: readonly (() => Step)[] = [
      () => remove(inSpace(space, `serviceaccounts/${name}`)),
      () => account(name),
      () => post(inSpace(space, 'secrets'), randomSecret(random, secret)),
      () => remove(inSpace(space, `secrets/${secret}`)),
      () => patch(inSpace(space, `secrets/${secret}`), { data: { token: null } }),
      () => patch(inSpace(space, `secrets/${secret}`), { data: { 'ca.crt': 'eA==', namespace: null } }),
      () =>
        patch(inSpace(space, `secrets/${secret}`), {
          metadata: { annotations: { 'kubernetes.io/service-account.name': name } },
        }),
      () =>
        patch(inSpace(space, `secrets/${secret}`), {
          metadata: { annotations: { 'kubernetes.io/service-account.uid': random.pick(['x', null]) ?? null } },
        }),
      () =>
        patch(
          inSpace(space, 'configmaps/kube-root-ca.crt'),
          random.pick<JsonObject>([
            { data: { 'ca.crt': 'x' } },
            { data: { more: 'y' } },
            { metadata: { annotations: null } },
          ]) ?? {},
        ),
      () => remove(inSpace(space, 'configmaps/kube-root-ca.crt')),
      () => remove(inSpace(space, 'serviceaccounts')),
    ];
    return (random.pick(choices) ?? (() => account(name)))();
  };
  // The account `default` and the authority are there before.
  const steps: Step[] = [makeSpace(space), { pauseMs: 3000 }];
  const makeSecrets = secretNames
    .filter(() => random.chance(0.7))
    .map((name) => post(inSpace(space, 'secrets'), randomSecret(random, name)));
  const makeAccounts = ['robot', 'other'].filter(() => random.chance(0.8)).map(account);
  steps.push(
    ...(random.chance(0.6) ? [...makeAccounts, ...makeSecrets] : [...makeSecrets, { pauseMs: 1500 }, ...makeAccounts]),
    {
      pauseMs: 1500,
    },
  );
  for (let changes = random.below(5); changes > 0; changes -= 1) {
    steps.push(change());
    if (random.chance(0.5)) steps.push({ pauseMs: 1200 });
  }
  return { steps, reads: ['serviceaccounts', 'secrets', 'configmaps'].map((plural) => inSpace(space, plural)) };
}

/** Accounts and the secrets with their tokens, made, changed and deleted in any order. */
export const accounts: Subject = { name: 'accounts', setUp: [], deeds };
