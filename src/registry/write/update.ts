import { type FieldError, type FieldErrors, invalidField } from '../../api/errors/field-error.ts';
import { addInt64 } from '../../api/values/int64.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { equalValues } from '../../fieldmanagement/values.ts';
import { noted, through } from '../../api/errors/findings.ts';
import {
  declaredMetaErrors,
  finalizerErrors,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../api/validation/object-meta-validation.ts';
import { inSpan } from '../../api/contracts/span.ts';
import { conflict, invalid, notFound } from '../../api/errors/status-errors.ts';
import { ownBytes } from '../../storage/own-bytes.ts';
import type { ValidateAdmission } from './create.ts';
import { prepareCreate } from './create.ts';
import { deleteUnfinalized } from './delete.ts';
import type { Preconditions } from '../kinds/delete-options.ts';
import { refusedScope, refuseErrors, tellWarnings } from './findings.ts';
import {
  ensureNamespaceMatches,
  expectedNamespace,
  fillSystemMetadata,
  keepClientMetadata,
  keepMetadata,
  wipeSystemMetadata,
  prefixErrors,
  updateMetaRules,
} from './metadata.ts';
import { type Soon } from '../../api/scheduling/soon.ts';
import { encodeKeepingTimes, keepTimes } from './managed-field-times.ts';
import { checkPreconditions, type UpdateTarget } from '../kinds/preconditions.ts';
import { isUnstructuredKind } from '../../schema/unstructured.ts';
import { withOldQuantities } from './old-quantities.ts';
import { keepRead } from '../stored/read-forms.ts';
import { parseWrittenVersion } from '../read/resource-version.ts';
import {
  confirm,
  type Overtaken,
  putObject,
  readCurrent,
  type Start,
  type StoredState,
  untilWritten,
} from '../stored/store-calls.ts';
import {
  keepAllButStatus,
  keepStatus,
  namedKey,
  objectKey,
  readForWrite,
  type StoreKind,
  type WriteScope,
} from '../stored/store-kind.ts';
import { dryRunObject, type StoredObject } from '../stored/stored-object.ts';
import { holdsIn, type UpdateStrategy } from '../kinds/strategy.ts';
import { shareUnchangedFields } from './unchanged-fields.ts';
import { areWrittenDifferently } from '../stored/written-differently.ts';
import { timeErrors, unreadableMetadata } from './time-errors.ts';
import { storeSpan, tellUpdate } from '../stored/traced-store.ts';
import { unchangeable, UnreadableError } from '../stored/unreadable.ts';

export interface UpdateRequest {
  readonly name: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly preconditions: Preconditions;
  /** Creates an absent object even if the kind does not allow that (server-side apply). */
  readonly forceCreate?: boolean;
  /** The result is stored whatever the rules of the kind say. */
  readonly skipsValidation?: boolean;
  /**
   * Makes the object to store from the current one, on each attempt; includes mutating admission.
   * `old` is undefined if the object is absent and may be created. Must not modify `old`.
   */
  transform(old: Readonly<KubernetesObject> | undefined): KubernetesObject | Promise<KubernetesObject>;
  readonly admitCreate: ValidateAdmission;
  admitUpdate(object: Readonly<KubernetesObject>, old: Readonly<KubernetesObject>): void | Promise<void>;
}

export interface UpdateResult {
  readonly stored: StoredObject;
  readonly created: boolean;
}

const optimisticLockMessage =
  'the object has been modified; please apply your changes to the latest version and try again';

/** Reads, transforms and writes, retrying on conflicts. */
export function updateObject(kind: StoreKind, request: UpdateRequest, scope: WriteScope): Promise<UpdateResult> {
  const key = namedKey(kind, scope.namespace, request.name);
  const span = storeSpan('GuaranteedUpdate', kind, key);
  return span === undefined
    ? updateKey(kind, key, request, scope)
    : inSpan(span, () => updateKey(kind, key, request, scope));
}

async function updateKey(
  kind: StoreKind,
  key: string,
  request: UpdateRequest,
  scope: WriteScope,
): Promise<UpdateResult> {
  try {
    return await untilWritten({ kind, key, operation: 'update' }, scope, (start) =>
      start.current === undefined
        ? createByUpdate(kind, request, scope)
        : updateOnce(kind, { key, start, current: start.current }, request, scope),
    );
  } catch (error) {
    // A dry run reads like a GET in the reference.
    throw error instanceof UnreadableError && !scope.dryRun ? unchangeable(kind, error.found) : error;
  }
}

type Attempt = UpdateResult | Overtaken;

async function createByUpdate(kind: StoreKind, request: UpdateRequest, scope: WriteScope): Promise<Attempt> {
  const allowed = kind.strategy.allowCreateOnUpdate === true || request.forceCreate === true;
  if (!allowed || request.subresource !== '') throw notFound(scope.resource, request.name);
  checkPreconditions(request.preconditions, updateTarget(kind, request, undefined, scope));
  const object = await request.transform(undefined);
  wipeSystemMetadata(object.metadata);
  fillSystemMetadata(object.metadata, scope.context);
  const permission = kind.strategy.permitCreate?.(object, { ...scope.context, requestName: request.name });
  const checked = permission === undefined ? scope : refusedScope(scope, await permission);
  parseWrittenVersion(object.metadata.resourceVersion ?? '');
  const finish = await kind.strategy.beginCreate?.(object, scope);
  let succeeded = false;
  try {
    const { resourceVersion } = object.metadata;
    await prepareCreate(kind, object, checked, request.admitCreate);
    const value = await kind.codec.encode(object);
    const key = objectKey(kind, scope.namespace, request.name);
    const attempt = await write(kind, { key, value, expected: 0, resourceVersion }, scope);
    succeeded = 'stored' in attempt;
    return 'stored' in attempt ? { stored: attempt.stored, created: true } : attempt;
  } finally {
    const ending = finish?.(succeeded);
    if (ending !== undefined) await ending;
  }
}

async function updateOnce(
  kind: StoreKind,
  { key, start, current }: { readonly key: string; readonly start: Start; readonly current: StoredState },
  request: UpdateRequest,
  scope: WriteScope,
): Promise<Attempt> {
  const old = await readForWrite(kind, current, 'change');
  checkPreconditions(request.preconditions, updateTarget(kind, request, old, scope));
  const object = await request.transform(old);
  const permission = strategyOf(kind, request.subresource).permitUpdate?.(object, old, {
    ...scope.context,
    requestName: request.name,
  });
  const checked = permission === undefined ? scope : refusedScope(scope, await permission);
  checkResourceVersion(kind, object, old, scope);
  const finish = request.subresource === '' ? await kind.strategy.beginUpdate?.(object, old, scope) : undefined;
  let succeeded = false;
  try {
    const encoded = await prepareUpdate(kind, request, { object, old, current }, checked);
    if (shouldDelete(kind, object, old)) {
      start.mayBeBehind = false;
      const deleted = await deleteUnfinalized(kind, { key, current, old, object }, scope);
      succeeded = deleted !== undefined;
      return deleted === undefined
        ? { current: await readCurrent(kind, key, scope, 'update') }
        : { stored: deleted, created: false };
    }
    const value = await encoded();
    const { resourceVersion } = object.metadata;
    if (current.stale !== true && value.equals(current.value)) {
      const { current: latest } = await confirm({ kind, key, operation: 'update' }, scope, start);
      if (latest?.modRevision !== current.modRevision) return { current: latest };
      const stored = scope.dryRun ? dryRunObject(current.value, current.modRevision, resourceVersion) : current;
      if (latest.stale !== true) {
        keepRead(kind, key, old);
        return { stored, created: false };
      }
    }
    start.mayBeBehind = false;
    const attempt = await write(kind, { key, value, expected: current.modRevision, resourceVersion }, scope);
    succeeded = 'stored' in attempt;
    if (succeeded && !scope.dryRun) strategyOf(kind, request.subresource).afterUpdate?.(object, old);
    return attempt;
  } finally {
    const ending = finish?.(succeeded);
    if (ending !== undefined) await ending;
  }
}

function updateTarget(
  kind: StoreKind,
  { name }: UpdateRequest,
  object: Readonly<KubernetesObject> | undefined,
  scope: WriteScope,
): UpdateTarget {
  const key = objectKey(kind, scope.namespace, name);
  // The reference's dry-run store shows keys without the `/registry` prefix.
  return { object, resource: scope.resource, name, key: scope.dryRun ? key.replace(/^\/registry/, '') : key };
}

function checkResourceVersion(
  kind: StoreKind,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
  scope: WriteScope,
): void {
  const { metadata } = object;
  const { name = '', resourceVersion: current = '' } = old.metadata;
  const given = metadata.resourceVersion ?? '';
  if (given === current) return;
  const version = parseWrittenVersion(given);
  if (version !== 0) {
    if (version !== parseWrittenVersion(current)) throw conflict(scope.resource, name, optimisticLockMessage);
    return;
  }
  if (holdsIn(kind.strategy.requireResourceVersion, scope.context.requestVersion)) {
    const { group, resource } = scope.resource;
    const error = invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
    throw invalid({ group, kind: resource }, name, [error]);
  }
  metadata.resourceVersion = current;
}

/** Completes and checks the object, and returns how to get the bytes to store: they may have to be waited for. */
async function prepareUpdate(
  kind: StoreKind,
  request: UpdateRequest,
  {
    object,
    old,
    current,
  }: { readonly object: KubernetesObject; readonly old: Readonly<KubernetesObject>; readonly current: StoredState },
  scope: WriteScope,
): Promise<() => Soon<Buffer>> {
  const { resource } = kind;
  ensureNamespaceMatches(object.metadata, expectedNamespace(scope.namespace, resource.namespaced));
  carryGeneration(object, old);
  const strategy = strategyOf(kind, request.subresource);
  if (request.subresource === 'status') keepForStatus(kind, object, old);
  else if (request.subresource === '' && kind.strategy.setsStatusApart(scope.context.requestVersion))
    keepStatus(object, old);
  strategy.prepareForUpdate?.(object, old, scope.context);
  shareUnchangedFields(resource.schema, object, old);
  const counts = request.subresource === '' || request.subresource === 'scale' || strategy.raisesGeneration === true;
  if (counts) await raiseGeneration(kind, object, old);
  carryMetadata(object, old);
  if (request.skipsValidation !== true) {
    const preparing = strategy.prepareValidation?.(object, old);
    if (preparing !== undefined) await preparing;
    refuseErrors(updateErrors(kind, request, { object, old }, scope), kind, { object, scope });
  }
  tellWarnings(strategy.updateWarnings?.(object, old, scope.context), scope);
  kind.strategy.canonicalize?.(object);
  const { seen } = kind.codec;
  if (seen !== undefined) {
    // It is converted as it has been admitted.
    await keepTimes(seen.codec, object, old);
    await request.admitUpdate(object, old);
    return () => kind.codec.encode(object);
  }
  const value = await encodeKeepingTimes(kind.codec, object, { old, bytes: current.value });
  await request.admitUpdate(object, old);
  return () => value;
}

interface Change {
  readonly object: KubernetesObject;
  readonly old: Readonly<KubernetesObject>;
}

function* updateErrors(
  kind: StoreKind,
  { subresource, forceCreate }: Pick<UpdateRequest, 'subresource' | 'forceCreate'>,
  change: Change,
  scope: WriteScope,
): FieldErrors {
  // What is applied keeps its metadata as they are written.
  const isReadAgain = isUnstructuredKind(kind.resource) && forceCreate !== true;
  const unreadable = isReadAgain ? unreadableMetadata(change.object) : undefined;
  if (unreadable !== undefined) return yield unreadable;
  const isWrong = yield* through(validationErrors(kind, subresource, change, scope));
  if (!isWrong) yield* timeErrors(kind.resource, change.object, change.old);
}

function* validationErrors(
  kind: StoreKind,
  subresource: string,
  { object, old }: Change,
  { context }: WriteScope,
): FieldErrors {
  const { revalidatesMetadata, validatesPrefixes } = kind.strategy;
  const strategy = strategyOf(kind, subresource);
  const found: FieldError[] = [];
  const rules = updateMetaRules(object, kind);
  yield* noted(validateObjectMeta(object.metadata, rules), found);
  yield* noted(validateObjectMetaUpdate(object.metadata, old.metadata), found);
  if (validatesPrefixes.has(subresource)) yield* noted(prefixErrors(object, kind), found);
  if (revalidatesMetadata !== undefined) yield* metadataErrorsAgain(object, old, revalidatesMetadata);
  if (strategy.validateUpdate) yield* strategy.validateUpdate(object, old, context, found);
}

/** In the order of the reference. */
function* metadataErrorsAgain(
  { metadata }: KubernetesObject,
  old: Readonly<KubernetesObject>,
  again: 'once' | 'and-anew',
): FieldErrors {
  yield* declaredMetaErrors(metadata);
  yield* validateObjectMetaUpdate(metadata, old.metadata);
  yield* declaredMetaErrors(metadata);
  if (again === 'once') return;
  yield* declaredMetaErrors(metadata);
  yield* finalizerErrors(metadata.finalizers ?? []);
}

function strategyOf(kind: StoreKind, subresource: string): UpdateStrategy {
  if (subresource === '' || subresource === 'scale') return kind.strategy;
  return kind.strategy.subresources[subresource] ?? {};
}

function carryGeneration({ metadata }: KubernetesObject, old: Readonly<KubernetesObject>): void {
  if (old.metadata.generation === undefined) delete metadata.generation;
  else metadata.generation = old.metadata.generation;
}

function keepForStatus(kind: StoreKind, object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  keepAllButStatus(object, old);
  if (kind.strategy.statusKeepsMetadata === 'all') keepMetadata(object, old);
  else if (kind.strategy.statusKeepsMetadata === true) keepClientMetadata(object, old);
}

/** Carries over metadata that clients may omit but not change, and drops what nobody stores. */
function carryMetadata({ metadata }: KubernetesObject, { metadata: old }: Readonly<KubernetesObject>): void {
  if (metadata.selfLink !== undefined) delete metadata.selfLink;
  if ((metadata.uid ?? '') === '' && old.uid !== undefined) metadata.uid = old.uid;
  if (old.creationTimestamp !== undefined) metadata.creationTimestamp = old.creationTimestamp;
  if (old.deletionTimestamp !== undefined) metadata.deletionTimestamp = old.deletionTimestamp;
  if (old.deletionGracePeriodSeconds !== undefined) {
    metadata.deletionGracePeriodSeconds ??= old.deletionGracePeriodSeconds;
  }
}

/** Increments metadata.generation if anything but metadata and status differs. */
async function raiseGeneration(
  kind: StoreKind,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Promise<void> {
  const { generation } = kind.strategy;
  if (generation === 'none') return;
  if (object.metadata.generation !== old.metadata.generation) return;
  const isSame = await sameSpecification(kind, object, old);
  if (isSame && (generation === 'spec' || sameStatus(object, old))) return;
  object.metadata.generation = addInt64(old.metadata.generation ?? 0, 1);
}

async function sameSpecification(
  kind: StoreKind,
  object: KubernetesObject,
  old: Readonly<KubernetesObject>,
): Promise<boolean> {
  const [fields, oldFields] = [specificationOf(object), specificationOf(old)];
  if (equalValues(fields, oldFields)) return true;
  const spelledAlike = withOldQuantities(kind.resource.schema, fields, oldFields);
  if (spelledAlike !== fields && equalValues(spelledAlike, oldFields)) return true;
  if (areWrittenDifferently(fields, oldFields)) return false;
  // Values that differ in memory may be encoded alike: an empty list and an absent one.
  const metadata = { name: 'x' };
  const bare = (from: Readonly<KubernetesObject>): KubernetesObject => {
    const copy: KubernetesObject = { ...from, metadata };
    delete copy['status'];
    return copy;
  };
  const codec = kind.codec.seen?.codec ?? kind.codec;
  return (await codec.encode(bare(object))).equals(await codec.encode(bare(old)));
}

function sameStatus({ status }: KubernetesObject, { status: old }: Readonly<KubernetesObject>): boolean {
  return status === undefined || old === undefined
    ? status === old
    : equalValues({ status: status as JsonValue }, { status: old as JsonValue }); // JSON-shaped
}

/** All but metadata and status. */
function specificationOf(object: Readonly<KubernetesObject>): JsonObject {
  const { metadata: _, status: __, ...fields } = object;
  return fields as JsonObject; // JSON-shaped
}

/** Whether the last finalizer of an object marked for deletion was removed. */
function shouldDelete(
  { strategy }: StoreKind,
  object: KubernetesObject,
  { metadata: old }: Readonly<KubernetesObject>,
): boolean {
  if ((object.metadata.finalizers ?? []).length > 0 || old.deletionTimestamp === undefined) return false;
  if (strategy.finalization?.isHeld(object) === true) return false;
  return (old.deletionGracePeriodSeconds ?? 0) === 0;
}

interface Written {
  readonly key: string;
  readonly value: Buffer;
  readonly expected: number;
  /** As given by the client, or filled in. */
  readonly resourceVersion: string | undefined;
}

async function write(
  kind: StoreKind,
  { key, value: encoded, expected, resourceVersion }: Written,
  scope: WriteScope,
): Promise<Attempt> {
  if (scope.dryRun) return { stored: dryRunObject(encoded, expected, resourceVersion), created: false };
  const value = ownBytes(encoded);
  tellUpdate('encoded', value);
  const result = await putObject(kind, { key, value, expected }, scope, 'update');
  tellUpdate('written', value);
  return result.succeeded
    ? { stored: { key, value, modRevision: result.revision }, created: false }
    : { current: result.current };
}
