import { expect, test } from 'vitest';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { existingPodWarnings } from './existing-pods.ts';

type StoredPod = KubernetesObject & Pod;

interface PodFacts {
  readonly name: string;
  /** Why it violates the level. */
  readonly reason?: string;
  readonly owner?: string;
}

function pod({ name, reason = '', owner }: PodFacts): StoredPod {
  const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'set', controller: true };
  const ownerReferences = owner === undefined ? [] : [{ ...reference, uid: owner }];
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ownerReferences, annotations: { reason } } };
}

async function warningsOf(facts: readonly PodFacts[]): Promise<readonly string[]> {
  async function* stored() {
    for (const each of facts) yield pod(each);
  }
  return existingPodWarnings(stored(), {
    namespace: 'n',
    level: { level: 'restricted', version: 'latest' },
    isExempt: ({ metadata }) => metadata.name === 'exempt',
    evaluatePod: ({ metadata }) => {
      const reason = metadata?.annotations?.['reason'] ?? '';
      return reason === '' ? [] : [{ reason, detail: '' }];
    },
  });
}

const head = 'existing pods in namespace "n" violate the new PodSecurity enforce level "restricted:latest"';

test('pods with the same violations are grouped', async () => {
  const pods = [
    { name: 'b', reason: 'host ports' },
    { name: 'good' },
    { name: 'exempt', reason: 'host ports' },
    { name: 'a', reason: 'host ports' },
    { name: 'c', reason: 'privileged' },
  ];
  expect(await warningsOf(pods)).toEqual([head, 'a (and 1 other pod): host ports', 'c: privileged']);
});

test('of more pods than are checked, one of each controller comes first', async () => {
  const copies = Array.from({ length: 3000 }, (_, index) => ({ name: `copy-${index}`, owner: 'uid' }));
  expect(await warningsOf([...copies, { name: 'last', reason: 'privileged' }])).toEqual([
    'new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods',
    head,
    'last: privileged',
  ]);
});

test('nothing is said of pods that are as they are to be', async () => {
  expect(await warningsOf([{ name: 'good' }])).toEqual([]);
});
