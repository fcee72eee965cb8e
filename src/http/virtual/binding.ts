import type { AdmissionAttributes } from '../../api/admission.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { badRequest, conflict, invalid, notFound } from '../../api/status-errors.ts';
import { type FieldError, notSupportedField, requiredField } from '../../api/field-error.ts';
import { updateObject, type UpdateRequest } from '../../registry/update.ts';
import type { Preconditions } from '../../registry/delete-options.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import type { Binding, Pod, PodCondition } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { decodeBody } from '../decode-body.ts';
import { parseWriteOptions } from '../request-options.ts';
import { admissionAttributes, type ResourceRequest, writeScope } from '../resource-request.ts';
import { servedKind, type ResourceScope } from '../resource-scope.ts';
import { respondStatus } from '../respond.ts';

/** Binds a pod to a node: `pods/binding`, and `bindings` with the pod's name in the body. `pods` is the scope of pods. */
export function binding(pods: () => ResourceScope) {
  return async (request: ResourceRequest): Promise<void> => {
    const { context, scope, subresource, format, admission } = request;
    const served = servedKind(scope.resource, subresource);
    if (served === undefined) throw new Error('bindings are served without a schema');
    const { object, options } = await decodeBody(request, served, () =>
      parseWriteOptions(context.query, 'CreateOptions'),
    );
    const name = context.info.name === '' ? (object.metadata.name ?? '') : context.info.name;
    const write = { operation: 'CREATE', name, object, oldObject: undefined, dryRun: options.dryRun } as const;
    const attributes: AdmissionAttributes = { ...admissionAttributes(request, write), kind: served.kind };
    await admission.mutate(attributes);
    if ((object.metadata.name ?? '') !== name) {
      throw badRequest('name in URL does not match name in Binding object');
    }
    // Decoded by the schema of Binding.
    const { target = {} } = object as Binding;
    const errors = targetErrors(target);
    if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors);
    const podScope = pods();
    if (podScope.store === undefined) throw new Error('pods are not stored');
    await admission.validate(attributes);
    const podWrite = { ...writeScope(request, options.dryRun), resource: podScope.groupResource };
    const update: UpdateRequest = {
      name,
      subresource: 'binding',
      preconditions: preconditionsOf(object),
      transform(old) {
        if (old === undefined) throw notFound(podScope.groupResource, name);
        return bound(old, object, context.receivedMs);
      },
      // Admission is asked about the binding.
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    };
    await updateObject(podScope.store, update, podWrite);
    await respondStatus(context, { status: 'Success', code: 201 }, format);
  };
}

function preconditionsOf({ metadata: { uid = '', resourceVersion = '' } }: KubernetesObject): Preconditions {
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

function targetErrors({ kind = '', name = '' }: NonNullable<Binding['target']>): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupportedField('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(requiredField('target.name'));
  return errors;
}

const bindingResource = { group: '', resource: 'pods/binding' };

function bound(
  old: Readonly<KubernetesObject>,
  binding: Readonly<KubernetesObject & Binding>,
  nowMs: number,
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
  // Where the scheduler meant to put it says nothing any more.
  const { nominatedNodeName: _, ...status } = pod.status ?? {};
  pod.status = { ...status, conditions: [...others, scheduled] };
  return pod;
}
