import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import { notFound } from '../../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { Pod, PodSpec, ServiceAccount } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { secretsOfPod } from '../../../schema/kubernetes/pod-references.ts';
import { liveNameProblem } from '../parts/live-name.ts';
import type { PluginContext } from '../../plugin-context.ts';
import { refusal, unexplained } from '../../refusal.ts';
import { ephemeralSecretProblem, secretProblem } from './secret-problem.ts';
import { mountToken } from './token-volume.ts';

const serviceAccounts = { group: '', version: 'v1', plural: 'serviceaccounts' };
const defaultName = 'default';
/** The default account of a new namespace is made by a controller, which may need a moment. */
const defaultAttempts = 10;
const mirrorAnnotation = 'kubernetes.io/config.mirror';
const enforcingAnnotation = 'kubernetes.io/enforce-mountable-secrets';
/** What Go reads as true. */
const trueTexts: readonly string[] = ['1', 't', 'T', 'true', 'TRUE', 'True'];

type Account = KubernetesObject & ServiceAccount;

/** Pods run as a service account of their namespace, and have its token and its secrets for pulling images. */
export function serviceAccount({ stored }: Pick<PluginContext, 'stored'>): AdmissionPlugin {
  return {
    name: 'ServiceAccount',
    operations: new Set(['CREATE', 'UPDATE']),
    async mutate(attributes) {
      if (!isNewPod(attributes)) return;
      // Objects are decoded by the schema of their resource.
      const pod = attributes.object as Pod;
      if (isMirror(pod)) return validateMirrorPod(attributes, pod);
      const spec = (pod.spec ??= {});
      if ((spec.serviceAccountName ?? '') === '') {
        spec.serviceAccountName = defaultName;
        spec.serviceAccount = defaultName;
      }
      const account = await accountOf(attributes, spec, stored);
      equip(spec, account);
      limitSecretReferences(attributes, pod, account);
    },
    async validate(attributes) {
      const pod = attributes.object as Pod;
      if (isNewPod(attributes)) {
        if (isMirror(pod)) return validateMirrorPod(attributes, pod);
        limitSecretReferences(attributes, pod, await accountOf(attributes, pod.spec ?? {}, stored));
      } else if (hasNewContainers(attributes)) {
        const account = await accountOf(attributes, pod.spec ?? {}, stored);
        const problem = isEnforcing(account) ? ephemeralSecretProblem(pod, account) : undefined;
        if (problem !== undefined) throw unexplained(problem);
      }
    },
  };
}

function isNewPod({ group, resource, subresource, operation }: AdmissionAttributes): boolean {
  const isWritten = subresource === '' || subresource === 'ephemeralcontainers';
  return operation === 'CREATE' && group === '' && resource === 'pods' && isWritten;
}

function hasNewContainers({ group, resource, subresource, operation }: AdmissionAttributes): boolean {
  return operation === 'UPDATE' && group === '' && resource === 'pods' && subresource === 'ephemeralcontainers';
}

function isMirror({ metadata }: Pod): boolean {
  return metadata?.annotations?.[mirrorAnnotation] !== undefined;
}

/** Kubelets show pods that no API server has made: nothing in them may be another than the kubelet says. */
function validateMirrorPod(attributes: AdmissionAttributes, pod: Pod): void {
  const { serviceAccountName = '', volumes = [] } = pod.spec ?? {};
  if (serviceAccountName !== '') throw refusal(attributes, 'a mirror pod may not reference service accounts');
  if (secretsOfPod(pod).next().done !== true) throw refusal(attributes, 'a mirror pod may not reference secrets');
  const sources = volumes.flatMap(({ projected }) => projected?.sources ?? []);
  if (sources.every(({ serviceAccountToken }) => serviceAccountToken === undefined)) return;
  throw refusal(attributes, 'a mirror pod may not use ServiceAccountToken volume projections');
}

async function accountOf(
  attributes: AdmissionAttributes,
  { serviceAccountName: name = '' }: PodSpec,
  stored: StoredObjects,
): Promise<Account> {
  const { namespace } = attributes;
  if (name === '') {
    const pod = attributes.object?.metadata.name ?? '';
    throw refusal(attributes, `no service account specified for pod ${namespace}/${pod}`);
  }
  const found = await storedAccount(stored, { namespace, name });
  if (found !== undefined) return found;
  const why = liveNameProblem(name) ?? notFound({ group: '', resource: 'serviceaccount' }, name).message;
  throw refusal(attributes, `error looking up service account ${namespace}/${name}: ${why}`);
}

async function storedAccount(
  stored: StoredObjects,
  at: { readonly namespace: string; readonly name: string },
): Promise<Account | undefined> {
  const intervalMs = 100 + Math.random() * 100;
  for (let left = at.name === defaultName ? defaultAttempts : 1; ; left -= 1) {
    const account = await stored.get(serviceAccounts, at);
    if (account !== undefined || left <= 1) return account;
    await sleep(intervalMs);
  }
}

function equip(spec: PodSpec, account: Account): void {
  const mounts = spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
  if (mounts) mountToken(spec);
  const { imagePullSecrets = [] } = account;
  if ((spec.imagePullSecrets ?? []).length > 0 || imagePullSecrets.length === 0) return;
  spec.imagePullSecrets = imagePullSecrets.map(({ name = '' }) => ({ name }));
}

function limitSecretReferences(attributes: AdmissionAttributes, pod: Pod, account: Account): void {
  const problem = isEnforcing(account) ? secretProblem(pod, account) : undefined;
  if (problem !== undefined) throw refusal(attributes, problem);
}

/** An account may say that its pods see no secrets but those that it names. */
function isEnforcing({ metadata }: Account): boolean {
  return trueTexts.includes(metadata.annotations?.[enforcingAnnotation] ?? '');
}
