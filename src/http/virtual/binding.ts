import type { KubernetesObject } from '../../api/object.ts';
import { badRequest, conflict, invalid, notFound } from '../../api/status-errors.ts';
import { type FieldError, notSupportedField, requiredField } from '../../api/field-error.ts';
import { updateObject } from '../../registry/update.ts';
import { formatSeconds } from '../../registry/metadata.ts';
import type { Binding, Pod, PodCondition } from '../../schema/kubernetes/generated/types/core-v1.ts';
import { decodeBody } from '../decode-body.ts';
import { parseWriteOptions } from '../request-options.ts';
import type { ResourceRequest } from '../resource-request.ts';
import { servedKind, type ResourceScope } from '../resource-scope.ts';
import { respondStatus } from '../respond.ts';
import { writeScope } from '../resource-request.ts';
import { updateAdmission } from '../verbs/update.ts';

/** Binds a pod to a node: `pods/binding`, and `bindings` with the pod's name in the body. `pods` is the scope of pods. */
export function binding(pods: () => ResourceScope) {
  return async (request: ResourceRequest): Promise<void> => {
    const { context, scope, subresource, format } = request;
    const served = servedKind(scope.resource, subresource);
    if (served === undefined) throw new Error('bindings are served without a schema');
    const { object, options } = await decodeBody(request, served, () =>
      parseWriteOptions(context.query, 'CreateOptions'),
    );
    const name = context.info.name === '' ? (object.metadata.name ?? '') : context.info.name;
    if ((object.metadata.name ?? '') !== name) {
      throw badRequest('name in URL does not match name in Binding object');
    }
    // Decoded by the schema of Binding.
    const { target = {} } = object as Binding;
    const errors = targetErrors(target);
    if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors);
    const podScope = pods();
    if (podScope.store === undefined) throw new Error('pods are not stored');
    const podRequest: ResourceRequest = { ...request, scope: podScope, subresource: undefined };
    const admission = updateAdmission(podRequest, { name, dryRun: options.dryRun }, (old) => {
      if (old === undefined) throw notFound(podScope.groupResource, name);
      return bound(old, target.name ?? '', context.receivedMs);
    });
    const preconditions = object.metadata.uid === undefined ? {} : { uid: object.metadata.uid };
    const podWrite = { ...writeScope(request, options.dryRun), resource: podScope.groupResource };
    await updateObject(podScope.store, { name, subresource: 'binding', preconditions, ...admission }, podWrite);
    respondStatus(context, { status: 'Success', code: 201 }, format);
  };
}

function targetErrors({ kind = '', name = '' }: NonNullable<Binding['target']>): FieldError[] {
  const errors: FieldError[] = [];
  if (kind !== '' && kind !== 'Node') errors.push(notSupportedField('target.kind', kind, ['Node', '<empty>']));
  if (name === '') errors.push(requiredField('target.name'));
  return errors;
}

const bindingResource = { group: '', resource: 'pods/binding' };

function bound(old: Readonly<KubernetesObject>, node: string, nowMs: number): KubernetesObject {
  // Stored pods are pods.
  const pod = structuredClone(old) as KubernetesObject & Pod;
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
  pod.spec = { ...spec, nodeName: node };
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'PodScheduled');
  const scheduled: PodCondition = { type: 'PodScheduled', status: 'True', lastTransitionTime: formatSeconds(nowMs) };
  pod.status = { ...pod.status, conditions: [...others, scheduled] };
  return pod;
}
