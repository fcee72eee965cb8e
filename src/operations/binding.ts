import { joinedErrors } from '../api/text/error-texts.ts';
import {
  type FieldError,
  fieldErrorText,
  invalidField,
  notSupportedField,
  requiredField,
} from '../api/errors/field-error.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { dnsSubdomainErrors } from '../api/meta/names.ts';
import { badRequest, conflict, notFound } from '../api/errors/status-errors.ts';
import { unclassified } from '../patch/patch-errors.ts';
import type { Preconditions } from '../registry/kinds/delete-options.ts';
import { ensureNamespaceMatches, formatSeconds } from '../registry/write/metadata.ts';
import { updateObject } from '../registry/write/update.ts';
import type { Binding, Pod, PodCondition } from '../schema/kubernetes/generated/types/core-v1.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { type Operation, storeOfOperation, writeScope } from './operation.ts';
import type { ResourceScope } from './resource-scope.ts';

/** A Binding as sent. */
export interface BindingRequest {
  readonly binding: KubernetesObject;
  readonly dryRun: boolean;
  /** The pods resource: the operation may be one on bindings. */
  readonly pods: ResourceScope;
  /** Whether the node that the scheduler has nominated is forgotten. */
  readonly endsNomination: boolean;
}

/** Binds the pod called `name` to a node. Throws StatusErrors. */
export async function bind(
  operation: Operation,
  name: string,
  { binding: object, dryRun, pods, endsNomination }: BindingRequest,
): Promise<void> {
  const { admission, receivedMs } = operation;
  ensureNamespaceMatches(object.metadata, operation.namespace);
  const write = { operation: 'CREATE', name, object, oldObject: undefined, dryRun, kind: 'Binding' } as const;
  const attributes = admissionAttributes(operation, write);
  await admission.mutate(attributes);
  if ((object.metadata.name ?? '') !== name) throw badRequest('name in URL does not match name in Binding object');
  // Decoded by the schema of Binding.
  const errors = targetErrors((object as Binding).target ?? {});
  if (errors.length > 0) throw unclassified(joinedErrors(errors.map(fieldErrorText)));
  await admission.validate(attributes);
  await updateObject(
    storeOfOperation({ scope: pods }, 'update'),
    {
      name,
      subresource: 'binding',
      // Labels and annotations are taken as they are.
      skipsValidation: true,
      preconditions: preconditionsOf(object),
      transform(old) {
        if (old === undefined) throw notFound(pods.groupResource, name);
        return bound(old, object, { nowMs: receivedMs, endsNomination });
      },
      // Admission sees the Binding, not the pod.
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    },
    { ...writeScope(operation, dryRun), resource: pods.groupResource },
  );
}

function preconditionsOf({ metadata: { uid = '', resourceVersion = '' } }: KubernetesObject): Preconditions {
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

function targetErrors({ kind = '', name = '' }: NonNullable<Binding['target']>): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupportedField('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(requiredField('target.name'));
  else errors.push(...dnsSubdomainErrors(name).map((text) => invalidField('target.name', name, text)));
  return errors;
}

const bindingResource = { group: '', resource: 'pods/binding' };

function bound(
  old: Readonly<KubernetesObject>,
  binding: Readonly<KubernetesObject & Binding>,
  { nowMs, endsNomination }: { readonly nowMs: number } & Pick<BindingRequest, 'endsNomination'>,
): KubernetesObject {
  // Stored pods are pods.
  const pod = cloneObject(old) as KubernetesObject & Pod;
  const name = pod.metadata.name ?? '';
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(bindingResource, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  const spec = pod.spec ?? {};
  if ((spec.nodeName ?? '') !== '') {
    throw conflict(bindingResource, name, `pod ${name} is already assigned to node ${JSON.stringify(spec.nodeName)}`);
  }
  if ((spec.schedulingGates ?? []).length > 0) {
    throw conflict(bindingResource, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  pod.spec = { ...spec, nodeName: binding.target?.name ?? '' };
  const { annotations, labels } = binding.metadata;
  if (annotations !== undefined) pod.metadata.annotations = { ...pod.metadata.annotations, ...annotations };
  if (labels !== undefined) pod.metadata.labels = { ...pod.metadata.labels, ...labels };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled: PodCondition = { type: 'PodScheduled', status: 'True', lastTransitionTime: formatSeconds(nowMs) };
  pod.status = { ...pod.status, conditions: [...others, scheduled] };
  if (endsNomination) delete pod.status.nominatedNodeName;
  return pod;
}
