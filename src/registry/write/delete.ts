import { addInt64, durationMs, type Int64 } from '../../api/values/int64.ts';
import type { GroupResource } from '../../api/meta/group-version.ts';
import type { KubernetesObject, ObjectMeta } from '../../api/meta/object.ts';
import { notFound } from '../../api/errors/status-errors.ts';
import { type DeleteOptions, deletionFinalizers, type Preconditions, sameFinalizers } from '../kinds/delete-options.ts';
import { formatSeconds } from './metadata.ts';
import { checkDeletePreconditions, checkFinalizationPreconditions } from '../kinds/preconditions.ts';
import {
  confirm,
  type Overtaken,
  putObject,
  removeObject,
  type StoredState,
  untilWritten,
} from '../stored/store-calls.ts';
import { keepRead } from '../stored/read-forms.ts';
import { namedKey, readForWrite, type StoreKind, type WriteScope } from '../stored/store-kind.ts';
import type { StoredObject } from '../stored/stored-object.ts';
import type { Finalization } from '../kinds/strategy.ts';

/** Validating admission of a deletion: throws to reject. */
export type ValidateDelete = (old: Readonly<KubernetesObject>) => void | Promise<void>;

export interface DeletionRequest {
  readonly name: string;
  readonly options: DeleteOptions;
  readonly admit: ValidateDelete;
}

export interface DeleteResult {
  /** The last state: as removed, or as it waits for removal. */
  readonly stored: StoredObject;
  /** False if the object still exists, waiting for finalizers or for its grace period. */
  readonly deleted: boolean;
  /** The uid of the object, whose bytes need not be decoded again. */
  readonly uid: string;
}

/**
 * The outcome of one deletion attempt, by the state of the object:
 *
 * | state | step |
 * |---|---|
 * | a grace period is running and does not change | `unchanged` |
 * | the kind's finalization has begun | `unchanged` while the object is held |
 * | finalizers remain, a grace period starts or shrinks | `update` to the marked object |
 * | the grace period is over | `finish`: an update to the marked object, then its removal |
 * | nothing holds it | `remove` |
 */
type Step =
  | { readonly action: 'unchanged' }
  | { readonly action: 'update' | 'finish'; readonly object: KubernetesObject }
  | { readonly action: 'remove' };

/** Deletes an object, or marks it for deletion while finalizers or a grace period hold it. */
export async function deleteObject(
  kind: StoreKind,
  request: DeletionRequest,
  scope: WriteScope,
): Promise<DeleteResult> {
  const key = namedKey(kind, scope.namespace, request.name);
  const write = { kind, key, operation: 'delete' } as const;
  const { removed, ...result } = await untilWritten(write, scope, async (start): Promise<Deletion | Overtaken> => {
    const { current } = start;
    if (current === undefined) throw notFound(scope.resource, request.name);
    const object = await readForWrite(kind, current, 'change');
    checkPreconditionsOf(kind, request.options.preconditions, { object, resource: scope.resource });
    await request.admit(object);
    const step = planDeletion(kind, object, request);
    const { uid = '' } = object.metadata;
    if (step.action === 'unchanged') {
      const { current: latest } = await confirm(write, scope, start);
      if (latest?.modRevision !== current.modRevision) return { current: latest };
      return { stored: latest, deleted: false, uid, removed: undefined };
    }
    start.mayBeBehind = false;
    const taken: Attempt = await takeStep(kind, { key, current, old: object, step }, scope);
    return 'stored' in taken ? { ...taken, uid, removed: taken.deleted && !scope.dryRun ? object : undefined } : taken;
  });
  const ending = removed === undefined ? undefined : kind.strategy.afterDelete?.(removed);
  if (ending !== undefined) await ending;
  return result;
}

interface Deletion extends DeleteResult {
  /** The object that is no longer there. */
  readonly removed: KubernetesObject | undefined;
}

function checkPreconditionsOf(
  { strategy, resource: kind }: StoreKind,
  preconditions: Preconditions,
  { object, resource }: { readonly object: Readonly<KubernetesObject>; readonly resource: GroupResource },
): void {
  const begin = strategy.finalization?.failedPrecondition;
  if (begin === undefined) checkDeletePreconditions(preconditions, object, kind);
  else checkFinalizationPreconditions(preconditions, object, { resource, begin });
}

/** Removes an object whose last finalizer was removed by an update. Undefined if another writer intervened. */
export async function deleteUnfinalized(
  kind: StoreKind,
  { object, ...target }: DeletionTarget & { readonly object: KubernetesObject },
  scope: WriteScope,
): Promise<StoredObject | undefined> {
  const result = await remove(kind, target, scope);
  if (!('stored' in result)) return undefined;
  const ending = scope.dryRun ? undefined : kind.strategy.afterDelete?.(object);
  if (ending !== undefined) await ending;
  // The object of the request is returned, at the version that it had.
  const codec = kind.codec.seen?.codec ?? kind.codec;
  return { value: await codec.encode(object), modRevision: target.current.modRevision };
}

interface DeletionTarget {
  readonly key: string;
  readonly current: StoredState;
  /** As read from `current`. */
  readonly old: Readonly<KubernetesObject>;
}

async function takeStep(
  kind: StoreKind,
  {
    step,
    ...target
  }: DeletionTarget & {
    readonly step: Exclude<Step, { readonly action: 'unchanged' }>;
  },
  scope: WriteScope,
): Promise<Attempt> {
  const { key, current } = target;
  if (step.action === 'remove') return remove(kind, target, scope);
  const marked = await mark(kind, { ...target, object: step.object }, scope);
  if (step.action === 'update' || !('stored' in marked)) return marked;
  // A dry run returns the marked object: there is nothing to remove.
  if (scope.dryRun) return { ...marked, deleted: true };
  const { value, modRevision } = marked.stored;
  return remove(kind, { key, current: { ...current, value, modRevision }, old: step.object }, scope);
}

function planDeletion(kind: StoreKind, old: Readonly<KubernetesObject>, { options }: DeletionRequest): Step {
  const metadata = { ...old.metadata };
  const object = { ...old, metadata };
  const { finalization } = kind.strategy;
  if (finalization !== undefined) {
    if (metadata.deletionTimestamp === undefined) return beginFinalization(kind, finalization, { object, options });
    if (finalization.isHeld(object)) return { action: 'unchanged' };
  }
  const graceful = planGrace(kind, object, options);
  if (graceful === 'pending') return { action: 'unchanged' };
  const finalizers = collectedFinalizers(kind, metadata, options);
  const changed = !sameFinalizers(metadata.finalizers ?? [], finalizers);
  if (changed) metadata.finalizers = [...finalizers];
  if (graceful === 'started') return { action: 'update', object };
  if (finalizers.length === 0) return graceful === 'over' ? { action: 'finish', object } : { action: 'remove' };
  if (graceful === 'over') return { action: 'update', object };
  if (!changed && metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0) {
    return { action: 'unchanged' };
  }
  markDeleting(metadata, kind.clock.now());
  return { action: 'update', object };
}

function collectedFinalizers(
  { strategy, collectsGarbage = true }: StoreKind,
  metadata: ObjectMeta,
  options: DeleteOptions,
): readonly string[] {
  if (!collectsGarbage) return metadata.finalizers ?? [];
  return deletionFinalizers(metadata, options, strategy.garbageCollection);
}

/** Sets marks in `object`. Garbage collection finalizers are kept unless the options change them. */
function beginFinalization(
  kind: StoreKind,
  finalization: Finalization,
  { object, options }: { readonly object: KubernetesObject; readonly options: DeleteOptions },
): Step {
  const { metadata } = object;
  metadata.deletionTimestamp = formatSeconds(kind.clock.now());
  const finalizers = collectedFinalizers(kind, metadata, options);
  if (finalizers.length > 0 || metadata.finalizers !== undefined) metadata.finalizers = [...finalizers];
  finalization.begin(object);
  return { action: 'update', object };
}

/**
 * `pending`: a grace period is already running; `started`: `metadata` now has one; `over`: it has one of zero seconds;
 * `none`: the kind has no grace period, or it has expired.
 */
function planGrace(
  kind: StoreKind,
  object: KubernetesObject,
  options: DeleteOptions,
): 'none' | 'pending' | 'started' | 'over' {
  const { metadata } = object;
  const { strategy } = kind;
  if (strategy.gracePeriodSeconds === undefined) return 'none';
  const requested =
    options.gracePeriodSeconds !== undefined && options.gracePeriodSeconds < 0 ? 1 : options.gracePeriodSeconds;
  const running = metadata.deletionGracePeriodSeconds ?? 0;
  if (metadata.deletionTimestamp !== undefined) {
    if (running === 0) return 'none';
    if (requested === undefined || requested >= running) return 'pending';
    shortenGrace(metadata, requested, kind.clock.now());
    return requested === 0 ? 'over' : 'started';
  }
  const seconds = strategy.gracePeriodSeconds(object, requested);
  metadata.deletionTimestamp = formatSeconds(kind.clock.now() + durationMs(seconds));
  metadata.deletionGracePeriodSeconds = seconds;
  if (metadata.generation !== undefined) metadata.generation = addInt64(metadata.generation, 1);
  return seconds === 0 ? 'over' : 'started';
}

function shortenGrace(metadata: ObjectMeta, seconds: Int64, nowMs: number): void {
  const began = Date.parse(metadata.deletionTimestamp ?? '') - durationMs(metadata.deletionGracePeriodSeconds ?? 0);
  const end = began + durationMs(seconds);
  metadata.deletionTimestamp = formatSeconds(Math.max(end, nowMs));
  metadata.deletionGracePeriodSeconds = end < nowMs && seconds !== 0 ? 1 : seconds;
}

function markDeleting(metadata: ObjectMeta, nowMs: number): void {
  if (metadata.deletionTimestamp === undefined && metadata.generation !== undefined) {
    metadata.generation = addInt64(metadata.generation, 1);
  }
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > nowMs) {
    metadata.deletionTimestamp = formatSeconds(nowMs);
  }
  metadata.deletionGracePeriodSeconds = 0;
}

type Attempt = Pick<DeleteResult, 'stored' | 'deleted'> | Overtaken;

async function mark(
  kind: StoreKind,
  { key, current, old, object }: DeletionTarget & { readonly object: KubernetesObject },
  scope: WriteScope,
): Promise<Attempt> {
  const value = await kind.codec.encode(object, { object: old, bytes: current.value });
  if (scope.dryRun) return { stored: { value, modRevision: current.modRevision }, deleted: false };
  const result = await putObject(kind, { key, value, expected: current.modRevision }, scope, 'delete');
  if (!result.succeeded) return { current: result.current };
  return { stored: { key, value, modRevision: result.revision }, deleted: false };
}

async function remove(kind: StoreKind, { key, current, old }: DeletionTarget, scope: WriteScope): Promise<Attempt> {
  if (scope.dryRun) return { stored: current, deleted: true };
  // Its last state is told of once more: in the answer, and in an event.
  keepRead(kind, key, old);
  const result = await removeObject(kind, { key, modRevision: current.modRevision }, scope);
  if (!result.succeeded) return { current: result.current };
  return { stored: { key, value: current.value, modRevision: result.revision }, deleted: true };
}
