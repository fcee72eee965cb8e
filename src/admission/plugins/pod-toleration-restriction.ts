import { isDeepStrictEqual } from 'node:util';
import type { AdmissionAttributes, AdmissionPlugin } from '../../api/contracts/admission.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import type { Pod, Toleration } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { qosClassOf } from '../../schema/kubernetes/qos-class.ts';
import { mergeTolerations } from './parts/merge-tolerations.ts';
import type { PluginContext } from '../plugin-context.ts';
import { unexplained } from '../refusal.ts';
import { type ClusterTolerations, readTolerations } from '../configuration/tolerations.ts';

const namespaces = { group: '', version: 'v1', plural: 'namespaces' };
const prefix = 'scheduler.alpha.kubernetes.io/';
const memoryPressure: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

/** Pods tolerate what their namespace gives them, and nothing that it does not allow. */
export function podTolerationRestriction(
  { stored }: Pick<PluginContext, 'stored'>,
  cluster: ClusterTolerations,
): AdmissionPlugin {
  return {
    name: 'PodTolerationRestriction',
    operations: new Set(['CREATE', 'UPDATE']),
    async mutate(attributes) {
      if (!isPod(attributes)) return;
      const pod = attributes.object as Pod; // decoded by the schema of pods
      const given =
        attributes.operation === 'CREATE'
          ? ((await annotated(stored, attributes.namespace, 'defaultTolerations')) ?? cluster.default)
          : [];
      const spec = (pod.spec ??= {});
      const isBestEffort = (pod.status?.qosClass ?? qosClassOf(spec)) === 'BestEffort';
      const extra = isBestEffort ? given : [...given, memoryPressure];
      if (extra.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], extra);
      await checkTolerations(attributes, stored, cluster);
    },
    async validate(attributes) {
      if (isPod(attributes)) await checkTolerations(attributes, stored, cluster);
    },
  };
}

function isPod({ group, resource, subresource }: AdmissionAttributes): boolean {
  return group === '' && resource === 'pods' && subresource === '';
}

async function checkTolerations(
  { namespace, object }: AdmissionAttributes,
  stored: StoredObjects,
  { whitelist }: ClusterTolerations,
): Promise<void> {
  const { tolerations = [] } = (object as Pod).spec ?? {}; // decoded by the schema of pods
  if (tolerations.length === 0) return;
  const own = await annotated(stored, namespace, 'tolerationsWhitelist');
  const allowed = own ?? whitelist;
  if (allowed.length === 0 || tolerations.every((one) => allowed.some((other) => covers(other, one)))) return;
  const scope = own === undefined ? 'cluster' : 'namespace';
  const what = 'pod tolerations (possibly merged with namespace default tolerations)';
  throw unexplained(`${what} conflict with its ${scope} whitelist`);
}

/** What a namespace says; undefined: nothing. */
async function annotated(stored: StoredObjects, name: string, key: string): Promise<readonly Toleration[] | undefined> {
  const namespace = await stored.get(namespaces, { namespace: '', name });
  if (namespace === undefined) throw notFound({ group: '', resource: 'namespaces' }, name);
  const text = namespace.metadata.annotations?.[prefix + key];
  return text === undefined || text === '' ? (text === undefined ? undefined : []) : readTolerations(text);
}

function covers(wide: Toleration, one: Toleration): boolean {
  if (isDeepStrictEqual(wide, one)) return true;
  const { key = '', operator = '', effect = '', value = '', tolerationSeconds } = wide;
  if ((one.key ?? '') !== key && (key !== '' || operator !== 'Exists')) return false;
  if ((one.effect ?? '') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && tolerationSeconds !== undefined) {
    if (one.tolerationSeconds === undefined || one.tolerationSeconds > tolerationSeconds) return false;
  }
  if (operator === 'Exists') return true;
  return (operator === 'Equal' || operator === '') && one.operator === 'Equal' && (one.value ?? '') === value;
}
