import type { FieldsOff } from '../gated-fields.ts';
import { gatedFields as table } from './generated/gated-fields.ts';

/** Gated fields that the generated table lacks. */
const unmarked = `io.k8s.api.apps.v1.DeploymentStatus terminatingReplicas DeploymentReplicaSetTerminatingReplicas
io.k8s.api.apps.v1.ReplicaSetStatus terminatingReplicas DeploymentReplicaSetTerminatingReplicas
io.k8s.api.core.v1.Lifecycle stopSignal ContainerStopSignals
io.k8s.api.core.v1.TopologySpreadConstraint matchLabelKeys MatchLabelKeysInPodTopologySpread`;

/** Without its namespace a cross-namespace reference would point into the object's own namespace. */
const whole: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.TypedObjectReference']);

/** A lifecycle without hooks is dropped. */
const unlessEmpty: ReadonlySet<string> = new Set(['io.k8s.api.core.v1.Lifecycle']);

const claim = 'io.k8s.api.core.v1.PersistentVolumeClaim';
const pod = 'io.k8s.api.core.v1.Pod';
const csiNode = 'io.k8s.api.storage.v1.CSINode';
/** Templates of claims keep these. */
const droppedBy: ReadonlyMap<string, readonly string[]> = new Map([
  ['CrossNamespaceVolumeDataSource', [claim]],
  ['CSIVolumeHealth', [claim, pod, csiNode]],
]);

/** The fields disabled by the states of the gates. Removed gates count as on: their fields are permanent. */
export function fieldsOff(gates: ReadonlyMap<string, boolean>): FieldsOff {
  const off = new Map<string, Map<string, string>>();
  for (const line of `${table}\n${unmarked}`.split('\n')) {
    const [definition = '', field = '', names = ''] = line.split(' ');
    const gate = names.split(',').find((name) => gates.get(name) === false);
    if (gate === undefined) continue;
    const fields = off.get(definition) ?? new Map<string, string>();
    off.set(definition, fields.set(field, gate));
  }
  return { gates: off, whole, unlessEmpty, droppedBy };
}
