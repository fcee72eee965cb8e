import type { FieldError, FieldErrors } from '../api/field-error.ts';
import { uint64Problem } from '../api/go-integer.ts';
import { formatGroupResource } from '../api/group-version.ts';
import { cloneObject, type KubernetesObject } from '../api/object.ts';
import { noted } from '../api/findings.ts';
import { validateObjectMeta } from '../api/object-meta-validation.ts';
import { StatusError } from '../api/status.ts';
import { alreadyExists, generateNameConflict } from '../api/status-errors.ts';
import { ensureNamespaceMatches, expectedNamespace, fillSystemMetadata, generateName, metaRules } from './metadata.ts';
import type { WriteResult } from '../storage/contract.ts';
import { storeSpan, tracedCreate } from './traced-store.ts';
import { putObject, readCurrent } from './store-calls.ts';
import { objectKey, setsStatusApart, type StoreKind, type WriteScope } from './store-kind.ts';
import { decodeInTurns, dryRunObject, type StoredObject } from './stored-object.ts';
import { refusedScope, refuseErrors, tellWarnings } from './findings.ts';

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
  const judged = permission === undefined ? scope : refusedScope(scope, await permission);
  const generated = (metadata.name ?? '') === '' && (metadata.generateName ?? '') !== '';
  for (let attempt = 1; ; attempt += 1) {
    if (generated) metadata.name = nameFor(kind, metadata.generateName ?? '');
    const candidate = generated ? cloneObject(object) : object;
    const created = await createOnce(kind, candidate, judged, admit);
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
  fillSystemMetadata(object.metadata, kind.clock.now());
  const { resourceVersion = '' } = object.metadata;
  const finish = await kind.strategy.beginCreate?.(object, scope);
  let succeeded = false;
  try {
    const value = await prepareCreate(kind, object, scope, admit);
    // Only the store rejects a resourceVersion, so a dry run accepts it; invalid ones are ignored.
    if (!scope.dryRun && uint64Problem(resourceVersion) === undefined && /[1-9]/.test(resourceVersion)) {
      const message = 'resourceVersion should not be set on objects to be created';
      throw new StatusError({ code: 500, reason: '', message });
    }
    const stored = await putNew(kind, { object, value, resourceVersion }, scope);
    succeeded = stored !== undefined;
    return stored;
  } finally {
    const ending = finish?.(succeeded);
    if (ending !== undefined) await ending;
  }
}

/** The bytes of the object to create, after all checks. */
export async function prepareCreate(
  kind: StoreKind,
  object: KubernetesObject,
  scope: WriteScope,
  admit: ValidateAdmission,
): Promise<Buffer> {
  const { strategy, resource } = kind;
  delete object.metadata.resourceVersion;
  ensureNamespaceMatches(object.metadata, expectedNamespace(scope.namespace, resource.namespaced));
  const isApart = setsStatusApart(kind, scope.context.requestVersion);
  if (isApart && strategy.keepsStatusOnCreate !== true) delete object['status'];
  if ((strategy.generation ?? 'none') !== 'none') object.metadata.generation = 1;
  strategy.prepareForCreate?.(object, scope.context);
  await tellWarnings(strategy.preparationWarnings?.(object), scope);
  await refuseErrors(createErrors(kind, object, scope), kind, { object, scope });
  await tellWarnings(strategy.warnings?.(object, scope.context), scope);
  strategy.canonicalize?.(object);
  await admit(object);
  return kind.codec.encodeSoon(object);
}

function* createErrors({ strategy, resource }: StoreKind, object: KubernetesObject, scope: WriteScope): FieldErrors {
  const found: FieldError[] = [];
  const rules = metaRules(object, resource, strategy.nameRule);
  if (strategy.validatesMetadata === true) {
    let isValid = true;
    for (const error of strategy.validate?.(object, scope.context) ?? []) {
      isValid &&= error === undefined;
      yield error;
    }
    if (!isValid) return;
  }
  yield* noted(validateObjectMeta(object.metadata, rules), found);
  if (strategy.validatesMetadata !== true && strategy.validate) yield* strategy.validate(object, scope.context, found);
}

async function putNew(
  kind: StoreKind,
  {
    object,
    value,
    resourceVersion,
  }: { readonly object: KubernetesObject; readonly value: Buffer; readonly resourceVersion: string },
  scope: WriteScope,
): Promise<StoredObject | undefined> {
  const key = objectKey(kind, object.metadata.namespace ?? '', object.metadata.name ?? '');
  if (scope.dryRun) {
    const current = await readCurrent(kind, key, scope, 'create');
    // The reference takes what it cannot read for absent here.
    const isFree = current === undefined || current.unreadable !== undefined;
    return isFree ? dryRunObject(value, 0, resourceVersion) : undefined;
  }
  const put = (): Promise<WriteResult> => putObject(kind, { key, value, expected: 0 }, scope, 'create');
  const span = storeSpan('Create', kind, key);
  const result = await (span === undefined ? put() : tracedCreate(span, value, put));
  return result.succeeded ? { value, modRevision: result.revision } : undefined;
}

async function existsError(kind: StoreKind, object: KubernetesObject, scope: WriteScope): Promise<StatusError> {
  const name = object.metadata.name ?? '';
  const error =
    (object.metadata.generateName ?? '') === ''
      ? alreadyExists(scope.resource, name)
      : generateNameConflict({ group: kind.resource.group, resource: scope.resource.resource }, name);
  const key = objectKey(kind, object.metadata.namespace ?? '', name);
  const kv = await readCurrent(kind, key, scope, 'create');
  if (kv?.unreadable !== undefined || kv === undefined) return error;
  const { metadata } = await decodeInTurns(kind.codec, kv);
  if (metadata.deletionTimestamp === undefined) return error;
  return new StatusError({
    ...error.status,
    message: `object is being deleted: ${error.status.message ?? formatGroupResource(scope.resource)}`,
  });
}
