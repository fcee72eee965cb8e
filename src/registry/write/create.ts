import type { FieldError, FieldErrors } from '../../api/errors/field-error.ts';
import { uint64Problem } from '../../api/go/go-integer.ts';
import { formatGroupResource } from '../../api/meta/group-version.ts';
import { cloneObject, type KubernetesObject } from '../../api/meta/object.ts';
import { noted, through } from '../../api/errors/findings.ts';
import { validateObjectMeta } from '../../api/validation/object-meta-validation.ts';
import { StatusError } from '../../api/errors/status.ts';
import { alreadyExists, generateNameConflict } from '../../api/errors/status-errors.ts';
import {
  ensureNamespaceMatches,
  expectedNamespace,
  fillSystemMetadata,
  generateName,
  lastNameErrors,
  metaRules,
} from './metadata.ts';
import type { KeyValue, WriteResult } from '../../storage/contract.ts';
import { ownBytes } from '../../storage/own-bytes.ts';
import { timeErrors } from './time-errors.ts';
import { storeSpan, tracedCreate } from '../stored/traced-store.ts';
import { putObject, readCurrent } from '../stored/store-calls.ts';
import { objectKey, readForWrite, type StoreKind, type WriteScope } from '../stored/store-kind.ts';
import { dryRunObject, type StoredObject } from '../stored/stored-object.ts';
import { refusedScope, refuseErrors, tellWarnings } from './findings.ts';
import { UnreadableError } from '../stored/unreadable.ts';

/** Validating admission: throws to reject. Must not modify the object. */
export type ValidateAdmission = (object: Readonly<KubernetesObject>) => void | Promise<void>;

const generateNameAttempts = 8;

/** Creates `object` and takes ownership of it. A generated name that is taken is generated again. */
export async function createObject(
  kind: StoreKind,
  object: KubernetesObject,
  scope: WriteScope,
  admit: ValidateAdmission,
): Promise<StoredObject> {
  const { metadata } = object;
  const permission = kind.strategy.permitCreate?.(object, scope.context);
  const checked = permission === undefined ? scope : refusedScope(scope, await permission);
  const generated = (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt += 1) {
    if (generated) metadata.name = nameFor(kind, metadata.generateName ?? '');
    const candidate = generated ? cloneObject(object) : object;
    const created = await createOnce(kind, candidate, checked, admit);
    if (created !== undefined) return created;
    if (!generated || attempt === generateNameAttempts) throw await existsError(kind, object, scope);
  }
}

function nameFor({ strategy }: StoreKind, prefix: string): string {
  return strategy.generatesNames === false ? prefix : generateName(prefix);
}

/** Undefined when the generated name is taken. */
async function createOnce(
  kind: StoreKind,
  object: KubernetesObject,
  scope: WriteScope,
  admit: ValidateAdmission,
): Promise<StoredObject | undefined> {
  fillSystemMetadata(object.metadata, scope.context);
  const { resourceVersion = '' } = object.metadata;
  const finish = await kind.strategy.beginCreate?.(object, scope);
  let succeeded = false;
  try {
    await prepareCreate(kind, object, scope, admit);
    // Only the store rejects a resourceVersion, so a dry run accepts it; invalid ones are ignored.
    if (!scope.dryRun && uint64Problem(resourceVersion) === undefined && /[1-9]/.test(resourceVersion)) {
      const message = 'resourceVersion should not be set on objects to be created';
      throw new StatusError({ code: 500, reason: '', message });
    }
    const stored = scope.dryRun
      ? await dryRunNew(kind, object, resourceVersion, scope)
      : await putNew(kind, object, scope);
    succeeded = stored !== undefined;
    return stored;
  } finally {
    const ending = finish?.(succeeded);
    if (ending !== undefined) await ending;
  }
}

/** Completes the object to create, and makes all checks. */
export async function prepareCreate(
  kind: StoreKind,
  object: KubernetesObject,
  scope: WriteScope,
  admit: ValidateAdmission,
): Promise<void> {
  const { strategy, resource } = kind;
  delete object.metadata.resourceVersion;
  ensureNamespaceMatches(object.metadata, expectedNamespace(scope.namespace, resource.namespaced));
  const isApart = strategy.setsStatusApart(scope.context.requestVersion);
  if (isApart && strategy.keepsStatusOnCreate !== true) delete object['status'];
  if (strategy.generation !== 'none') object.metadata.generation = 1;
  strategy.prepareForCreate?.(object, scope.context);
  tellWarnings(strategy.preparationWarnings?.(object), scope);
  const preparing = strategy.prepareValidation?.(object, undefined);
  if (preparing !== undefined) await preparing;
  refuseErrors(createErrors(kind, object, scope), kind, { object, scope });
  tellWarnings(strategy.warnings?.(object, scope.context), scope);
  strategy.canonicalize?.(object);
  await admit(object);
}

function* createErrors(kind: StoreKind, object: KubernetesObject, scope: WriteScope): FieldErrors {
  const isWrong = yield* through(validationErrors(kind, object, scope));
  if (isWrong) return;
  yield* lastNameErrors(object, kind.resource, kind.strategy.nameRule);
  yield* timeErrors(kind.resource, object);
}

function* validationErrors(
  { strategy, resource }: StoreKind,
  object: KubernetesObject,
  scope: WriteScope,
): FieldErrors {
  const found: FieldError[] = [];
  const rules = metaRules(object, resource, strategy.nameRule);
  if (strategy.validatesMetadata === true) {
    const isWrong = yield* through(strategy.validate?.(object, scope.context) ?? []);
    if (isWrong) return;
  }
  yield* noted(validateObjectMeta(object.metadata, rules), found);
  if (strategy.validatesMetadata !== true && strategy.validate) yield* strategy.validate(object, scope.context, found);
}

async function putNew(kind: StoreKind, object: KubernetesObject, scope: WriteScope): Promise<StoredObject | undefined> {
  const value = ownBytes(await kind.codec.encode(object));
  const key = keyOf(kind, object);
  const put = (): Promise<WriteResult> => putObject(kind, { key, value, expected: 0 }, scope, 'create');
  const span = storeSpan('Create', kind, key);
  const result = await (span === undefined ? put() : tracedCreate(span, value, put));
  return result.succeeded ? { key, value, modRevision: result.revision } : undefined;
}

/** What is there is looked for before the object is converted to what would be stored. */
async function dryRunNew(
  kind: StoreKind,
  object: KubernetesObject,
  resourceVersion: string,
  scope: WriteScope,
): Promise<StoredObject | undefined> {
  const current = await readCurrent(kind, keyOf(kind, object), scope, 'create');
  if (current !== undefined && (await isReadable(kind, current))) return undefined;
  return dryRunObject(await kind.codec.encode(object), 0, resourceVersion);
}

/** The reference takes what it cannot read for absent in a dry run. */
async function isReadable(kind: StoreKind, current: KeyValue): Promise<boolean> {
  if (current.unreadable !== undefined) return false;
  if (kind.inStoredVersion === undefined) return true;
  try {
    await readForWrite(kind, current);
    return true;
  } catch (error) {
    if (error instanceof UnreadableError) return false;
    throw error;
  }
}

function keyOf(kind: StoreKind, { metadata: { namespace = '', name = '' } }: KubernetesObject): string {
  return objectKey(kind, namespace, name);
}

async function existsError(kind: StoreKind, object: KubernetesObject, scope: WriteScope): Promise<StatusError> {
  const name = object.metadata.name ?? '';
  const error =
    (object.metadata.generateName ?? '') === ''
      ? alreadyExists(scope.resource, name)
      : generateNameConflict({ group: kind.resource.group, resource: scope.resource.resource }, name);
  const kv = await readCurrent(kind, keyOf(kind, object), scope, 'create');
  if (kv?.unreadable !== undefined || kv === undefined) return error;
  const { metadata } = kind.codec.decode(kv);
  if (metadata.deletionTimestamp === undefined) return error;
  return new StatusError({
    ...error.status,
    message: `object is being deleted: ${error.status.message ?? formatGroupResource(scope.resource)}`,
  });
}
