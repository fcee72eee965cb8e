import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { isReason, StatusError } from '../api/errors/status.ts';
import { badRequest, notFound } from '../api/errors/status-errors.ts';
import { deleteObject } from '../registry/write/delete.ts';
import type { DeleteOptions, Preconditions } from '../registry/kinds/delete-options.ts';
import { ensureNamespaceMatches, formatSeconds } from '../registry/write/metadata.ts';
import { checkDeletePreconditions } from '../registry/kinds/preconditions.ts';
import { namedKey, type StoreKind } from '../registry/stored/store-kind.ts';
import { updateObject } from '../registry/write/update.ts';
import { readable } from '../registry/stored/unreadable.ts';
import type { Pod, PodCondition } from '../schema/kubernetes/generated/types/core-v1.ts';
import { budgetsOf, isReady, spend, sparesUnready, stillProcessed } from './disruption-budgets.ts';
import { admissionAttributes } from './admission-attributes.ts';
import { type Operation, storeOfOperation, writeScope } from './operation.ts';

const conflictAttempts = 20;
const severalBudgets =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.';

/** An Eviction as sent. */
export interface EvictionRequest {
  readonly eviction: KubernetesObject;
  /** Whether the request is one; the requested deletion may be one as well. */
  readonly dryRun: boolean;
  /** The deletion that an Eviction requests. Throws a StatusError. */
  readonly deletionOf: (eviction: KubernetesObject) => RequestedDeletion;
  /** The store of PodDisruptionBudgets. */
  readonly budgets: StoreKind;
}

export interface RequestedDeletion {
  readonly options: DeleteOptions;
  /** Throws a StatusError for values that no deletion accepts. The pod has been marked when they are noticed. */
  readonly validate: () => void;
}

/** Deletes the pod called `name` if its disruption budget allows. Throws StatusErrors. */
export async function evict(requested: Operation, name: string, request: EvictionRequest): Promise<void> {
  const { budgets } = request;
  const deletion = await admitted(requested, name, request);
  // It consists of several writes: no other thread may begin again after the first one.
  const operation: Operation = { ...requested, passing: () => undefined };
  if (await deleteUnguarded(operation, name, deletion)) return;
  const { options } = deletion;
  const pod = await readPod(operation, name);
  const guards = await budgetsOf(budgets, operation.namespace, pod);
  if (guards.length > 1) throw new StatusError({ code: 500, reason: '', message: severalBudgets });
  const [guard] = guards;
  const spared = guard !== undefined && !isReady(pod) && sparesUnready(guard);
  const guardName = guard?.metadata.name ?? '';
  if (guard !== undefined && !spared) await spend(budgets, guardName, name, writeScope(operation, options.dryRun));
  try {
    await deleteMarked(operation, name, spared ? atVersion(deletion, pod) : deletion);
  } catch (error) {
    // The pod may have become ready in the meantime.
    const ours = spared && options.preconditions.resourceVersion === undefined;
    throw ours && isReason(error, 'Conflict') ? stillProcessed(guardName) : error;
  }
}

/** The options of the deletion, as admission leaves them. */
async function admitted(
  operation: Operation,
  name: string,
  { eviction: object, dryRun, deletionOf }: EvictionRequest,
): Promise<RequestedDeletion> {
  const { admission, namespace } = operation;
  ensureNamespaceMatches(object.metadata, namespace);
  const write = { operation: 'CREATE', name, object, oldObject: undefined, dryRun } as const;
  const attributes = admissionAttributes(operation, write);
  await admission.mutate(attributes);
  if (object.metadata.name !== name) throw badRequest('name in URL does not match name in Eviction object');
  const { options, validate } = deletionOf(object);
  await admission.validate(attributes);
  return { options: { ...options, dryRun: dryRun || options.dryRun }, validate };
}

async function readPod(operation: Operation, name: string): Promise<KubernetesObject & Pod> {
  const store = storeOfOperation(operation, 'get');
  const { kv } = await store.storage.get(namedKey(store, operation.namespace, name));
  if (kv === undefined) throw notFound(operation.scope.groupResource, name);
  return store.codec.decode(readable(store, kv)) as KubernetesObject & Pod; // stored under the prefix of pods
}

/** Deletes a pod that budgets do not protect: pending, finished, or terminating. False for others. */
async function deleteUnguarded(operation: Operation, name: string, deletion: RequestedDeletion): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const pod = await readPod(operation, name);
    const ended =
      ['Succeeded', 'Failed'].includes(pod.status?.phase ?? '') || pod.metadata.deletionTimestamp !== undefined;
    if (!ended && pod.status?.phase !== 'Pending') return false;
    const given = deletion.options.preconditions.resourceVersion !== undefined;
    try {
      await deleteMarked(operation, name, ended || given ? deletion : atVersion(deletion, pod));
      return true;
    } catch (error) {
      if (!isReason(error, 'Conflict') || given || attempt === conflictAttempts) throw error;
    }
  }
}

function atVersion({ options, validate }: RequestedDeletion, { metadata }: KubernetesObject): RequestedDeletion {
  const { resourceVersion = '' } = metadata;
  return { options: { ...options, preconditions: { ...options.preconditions, resourceVersion } }, validate };
}

/** Sets the DisruptionTarget condition and deletes the pod. */
async function deleteMarked(
  operation: Operation,
  name: string,
  { options, validate }: RequestedDeletion,
): Promise<void> {
  const { preconditions } = options;
  const marked = options.dryRun ? undefined : await mark(operation, name, preconditions);
  const current =
    marked === undefined || preconditions.resourceVersion === undefined
      ? preconditions
      : { ...preconditions, resourceVersion: marked };
  validate();
  await deleteObject(
    storeOfOperation(operation, 'delete'),
    { name, options: { ...options, preconditions: current }, admit: () => undefined },
    writeScope(operation, options.dryRun),
  );
}

/** Returns the resourceVersion after the status update. */
async function mark(operation: Operation, name: string, preconditions: Preconditions): Promise<string> {
  const { scope, receivedMs } = operation;
  const { stored } = await updateObject(
    storeOfOperation(operation, 'update'),
    {
      name,
      subresource: 'status',
      preconditions: {},
      transform(old) {
        if (old === undefined) throw notFound(scope.groupResource, name);
        checkDeletePreconditions(withoutEmpty(preconditions), old, { group: '', kind: 'Pod' });
        return marked(old, formatSeconds(receivedMs));
      },
      admitCreate: () => undefined,
      admitUpdate: () => undefined,
    },
    writeScope(operation, false),
  );
  return String(stored.modRevision);
}

/** Empty preconditions bind the deletion, not the mark. */
function withoutEmpty({ uid = '', resourceVersion = '' }: Preconditions): Preconditions {
  return { ...(uid === '' ? {} : { uid }), ...(resourceVersion === '' ? {} : { resourceVersion }) };
}

function marked(old: Readonly<KubernetesObject>, now: string): KubernetesObject {
  const pod = cloneObject(old) as KubernetesObject & Pod; // stored under the prefix of pods
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
