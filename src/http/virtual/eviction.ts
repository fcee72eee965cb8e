import type { JsonObject } from '../../api/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { isReason } from '../../api/status.ts';
import { badRequest, notFound } from '../../api/status-errors.ts';
import { deleteObject } from '../../registry/delete.ts';
import type { DeleteOptions } from '../../registry/delete-options.ts';
import { ensureNamespaceMatches, formatSeconds } from '../../registry/metadata.ts';
import { checkDeletePreconditions } from '../../registry/preconditions.ts';
import { objectKey, type StoreKind } from '../../registry/store-kind.ts';
import { updateObject } from '../../registry/update.ts';
import type { Pod, PodCondition } from '../../schema/kubernetes/generated/types/core-v1.ts';
import type { Eviction } from '../../schema/kubernetes/generated/types/policy-v1.ts';
import { decodeBody } from '../decode-body.ts';
import { deleteOptionsOf } from '../delete-options.ts';
import { parseWriteOptions } from '../request-options.ts';
import {
  admissionAttributes,
  nameOf,
  type ResourceRequest,
  storeOf,
  type VerbHandler,
  writeScope,
} from '../resource-request.ts';
import { servedKind } from '../resource-scope.ts';
import { respondStatus } from '../respond.ts';
import { budgetsOf, isReady, spend, sparesUnready, stillProcessed } from './disruption-budgets.ts';

const conflictAttempts = 20;
const severalBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';

/** Deletes a pod if its disruption budget lets it go: `pods/eviction`. `budgets` is the store of budgets. */
export function eviction(budgets: () => StoreKind): VerbHandler {
  return async (request) => {
    const { context, format } = request;
    const name = nameOf(request);
    const options = await readEviction(request, name);
    if (await deleteUnguarded(request, name, options)) {
      await respondStatus(context, { status: 'Success', code: 201 }, format);
      return;
    }
    const { namespace } = context.info;
    const pod = await readPod(request, name);
    const guards = await budgetsOf(budgets(), namespace, pod);
    if (guards.length > 1) {
      await respondStatus(context, { status: 'Failure', message: severalBudgets, code: 500 }, format);
      return;
    }
    const [guard] = guards;
    const spared = guard !== undefined && !isReady(pod) && sparesUnready(guard);
    const guardName = guard?.metadata.name ?? '';
    if (guard !== undefined && !spared) {
      await spend(budgets(), guardName, name, writeScope(request, options.dryRun));
    }
    try {
      await deleteMarked(request, name, spared ? atVersion(options, pod) : options);
    } catch (error) {
      // The pod may have become ready since it was looked at.
      const ours = spared && options.preconditions.resourceVersion === undefined;
      throw ours && isReason(error, 'Conflict') ? stillProcessed(guardName) : error;
    }
    await respondStatus(context, { status: 'Success', code: 201 }, format);
  };
}

/** The options of the deletion, which the body holds. */
async function readEviction(request: ResourceRequest, name: string): Promise<DeleteOptions> {
  const { context, scope, subresource, admission } = request;
  const served = servedKind(scope.resource, subresource);
  if (served === undefined) throw new Error('evictions are served without a schema');
  const { object, options } = await decodeBody(request, { ...served, otherVersions: ['v1beta1'] }, () =>
    parseWriteOptions(context.query, 'CreateOptions'),
  );
  ensureNamespaceMatches(object.metadata, context.info.namespace);
  if (object.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  // Decoded by the schema of Eviction.
  const { deleteOptions = {} } = object as Eviction;
  const deletion = deleteOptionsOf(deleteOptions as JsonObject);
  const dryRun = options.dryRun || deletion.dryRun;
  const attributes = admissionAttributes(request, { operation: 'CREATE', name, object, oldObject: undefined, dryRun });
  await admission.mutate(attributes);
  await admission.validate(attributes);
  return { ...deletion, dryRun };
}

async function readPod(request: ResourceRequest, name: string): Promise<KubernetesObject & Pod> {
  const store = storeOf(request);
  const { kv } = await store.storage.get(objectKey(store, request.context.info.namespace, name));
  if (kv === undefined) throw notFound(request.scope.groupResource, name);
  return store.codec.decode(kv) as KubernetesObject & Pod; // stored pods are pods
}

/** Deletes a pod that no budget guards: it has not begun, has ended, or goes already. False for others. */
async function deleteUnguarded(request: ResourceRequest, name: string, options: DeleteOptions): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const pod = await readPod(request, name);
    const ended =
      ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '') || pod.metadata.deletionTimestamp !== undefined;
    if (!ended && pod.status?.phase !== 'Pending') return false;
    const given = options.preconditions.resourceVersion !== undefined;
    try {
      await deleteMarked(request, name, ended || given ? options : atVersion(options, pod));
      return true;
    } catch (error) {
      if (!isReason(error, 'Conflict') || given || attempt === conflictAttempts) throw error;
    }
  }
}

function atVersion(options: DeleteOptions, { metadata }: KubernetesObject): DeleteOptions {
  const { resourceVersion = '' } = metadata;
  return { ...options, preconditions: { ...options.preconditions, resourceVersion } };
}

/** Tells in the pod's conditions why it goes, and deletes it. */
async function deleteMarked(request: ResourceRequest, name: string, options: DeleteOptions): Promise<void> {
  const { preconditions } = options;
  const marked = options.dryRun ? undefined : await mark(request, name, preconditions);
  const current =
    marked === undefined || preconditions.resourceVersion === undefined
      ? preconditions
      : { ...preconditions, resourceVersion: marked };
  await deleteObject(
    storeOf(request),
    { name, options: { ...options, preconditions: current }, admit: () => undefined },
    writeScope(request, options.dryRun),
  );
}

/** Answers the resource version of the marked pod. */
async function mark(
  request: ResourceRequest,
  name: string,
  preconditions: DeleteOptions['preconditions'],
): Promise<string> {
  const { context, scope } = request;
  const { stored } = await updateObject(
    storeOf(request),
    {
      name,
      subresource: 'status',
      preconditions: {},
      transform(old) {
        if (old === undefined) throw notFound(scope.groupResource, name);
        checkDeletePreconditions(preconditions, old, { group: '', kind: 'Pod' });
        return marked(old, formatSeconds(context.receivedMs));
      },
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    },
    writeScope(request, false),
  );
  return String(stored.modRevision);
}

function marked(old: Readonly<KubernetesObject>, now: string): KubernetesObject {
  const pod = cloneObject(old) as KubernetesObject & Pod; // stored pods are pods
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== 'DisruptionTarget');
  const before = pod.status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  const condition: PodCondition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
    lastTransitionTime: before?.status === 'True' ? (before.lastTransitionTime ?? now) : now,
  };
  pod.status = { ...pod.status, conditions: [...others, condition] };
  return pod;
}
