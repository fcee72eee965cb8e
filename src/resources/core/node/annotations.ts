import { childPath, invalidField, keyPath, requiredField } from '../../../api/errors/field-error.ts';
import type { OwnerReference } from '../../../schema/kubernetes/generated/types/meta-v1.ts';
import type * as core from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { schemaByName } from '../../../schema/kubernetes/definitions.ts';
import { field, list, struct, text } from '../../../schema/plain-schema.ts';
import type { Schema } from '../../../schema/schema.ts';
import { taints } from '../../parts/pod-template/scheduling.ts';
import { readInternalList, readObject } from '../../parts/rules/json-text.ts';
import type { Errors } from '../../parts/rules/rules.ts';

// Annotations of nodes that contain JSON, from before there were fields for it.

const path = 'metadata.annotations';
const taintsKey = 'scheduler.alpha.kubernetes.io/taints';
const avoidedKey = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

export function* nodeAnnotations(annotations: { readonly [key: string]: string } = {}): Errors {
  const { [taintsKey]: tainted = '', [avoidedKey]: avoided = '' } = annotations;
  if (tainted !== '') yield* annotatedTaints(tainted);
  if (avoided !== '') yield* avoidedPods(avoided);
}

const time: Schema = { type: 'string', format: 'date-time', goType: 'v1.Time' };
const internalTaint = struct(
  'Taint',
  [
    field('Key', text),
    field('Value', text),
    field('Effect', { ...text, goType: 'core.TaintEffect' }),
    field('TimeAdded', time, true),
  ],
  'core',
);

function* annotatedTaints(json: string): Errors {
  const read = readInternalList<core.Taint>(json, internalTaint);
  if ('problem' in read) yield invalidField(path, taintsKey, read.problem);
  else yield* taints(read.value, childPath(path, taintsKey));
}

interface AvoidPods {
  readonly preferAvoidPods?: readonly { readonly podSignature?: { readonly podController?: OwnerReference } }[];
}

/** `v1.AvoidPods`, which no resource has. */
function avoidPods(): Schema {
  const owner = schemaByName('io.k8s.apimachinery.pkg.apis.meta.v1.OwnerReference');
  if (owner === undefined) throw new Error('no owner references');
  const signature = struct('PodSignature', [field('podController', owner, true)]);
  const entry = struct('PreferAvoidPodsEntry', [
    field('podSignature', signature),
    field('evictionTime', time),
    field('reason', text),
    field('message', text),
  ]);
  return struct('AvoidPods', [field('preferAvoidPods', list(entry))]);
}

function* avoidedPods(json: string): Errors {
  const read = readObject<AvoidPods>(json, avoidPods());
  if ('problem' in read) return yield invalidField(childPath(path, 'AvoidPods'), avoidedKey, read.problem);
  for (const [index, { podSignature = {} }] of (read.value.preferAvoidPods ?? []).entries()) {
    const signaturePath = childPath(keyPath(childPath(path, avoidedKey), index), 'PodSignature');
    const { podController } = podSignature;
    if (podController === undefined) yield requiredField(signaturePath);
    else if (podController.controller !== true) {
      yield invalidField(`${signaturePath}.PodController.Controller`, false, 'must point to a controller');
    }
  }
}
