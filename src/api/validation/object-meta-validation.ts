import {
  childPath,
  type FieldError,
  type FieldErrors,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
  tooLongField,
} from '../errors/field-error.ts';
import { fieldManagerErrors } from './field-manager-name.ts';
import { goQuote } from '../go/go-quote.ts';
import { parseApiVersion } from '../meta/group-version.ts';
import type { Int64 } from '../values/int64.ts';
import type { JsonObject, JsonValue } from '../json/json.ts';
import { labelValueErrors, nameRules, qualifiedNameErrors } from '../meta/names.ts';
import type { ObjectMeta, OwnerReference } from '../meta/object.ts';

const annotationsLimitBytes = 256 * 1024;

/** `namespaced`: whether the kind is namespaced; `nameRule` defaults to DNS subdomains. */
export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameRule?: ((name: string, prefix: boolean) => readonly string[]) | undefined;
}

/** Validates the metadata of any object. */
export function* validateObjectMeta(metadata: Readonly<ObjectMeta>, rules: ObjectMetaRules): FieldErrors {
  const { finalizers, managedFields } = metadata;
  yield* nameErrors(metadata, rules.nameRule ?? nameRules.dnsSubdomain);
  yield* namespaceErrors(metadata.namespace ?? '', rules.namespaced);
  yield* generationErrors(metadata.generation ?? 0);
  yield* declaredMetaErrors(metadata);
  if (finalizers !== undefined) yield* finalizerErrors(finalizers);
  if (managedFields !== undefined) yield* managedFieldsErrors(managedFields);
}

/** Metadata with rules that the reference declares with the type. */
export function* declaredMetaErrors({ labels, annotations, ownerReferences }: Readonly<ObjectMeta>): FieldErrors {
  if (labels !== undefined) yield* labelErrors(labels, 'metadata.labels');
  if (annotations !== undefined) yield* annotationErrors(annotations, 'metadata.annotations');
  if (ownerReferences !== undefined) yield* ownerReferenceErrors(ownerReferences);
}

/** Immutable metadata in updates; errors of `validateObjectMeta` are not repeated. */
export function validateObjectMetaUpdate(metadata: Readonly<ObjectMeta>, old: Readonly<ObjectMeta>): FieldError[] {
  const errors: FieldError[] = [];
  if (old.deletionTimestamp !== undefined) {
    const before = new Set(old.finalizers);
    const added = [...new Set(metadata.finalizers)].filter((finalizer) => !before.has(finalizer)).sort();
    if (added.length > 0) {
      const list = `[]string{${added.map(goQuote).join(', ')}}`;
      const detail = `no new finalizers can be added if the object is being deleted, found new finalizers ${list}`;
      errors.push(forbiddenField('metadata.finalizers', detail));
    }
  }
  if ((metadata.generation ?? 0) < (old.generation ?? 0)) {
    errors.push(invalidField('metadata.generation', metadata.generation ?? 0, 'must not be decremented'));
  }
  errors.push(...immutable('metadata.name', metadata.name ?? '', old.name ?? ''));
  errors.push(...immutable('metadata.namespace', metadata.namespace ?? '', old.namespace ?? ''));
  errors.push(...immutable('metadata.uid', metadata.uid ?? '', old.uid ?? ''));
  errors.push(
    ...immutable('metadata.creationTimestamp', metadata.creationTimestamp ?? null, old.creationTimestamp ?? null),
  );
  const [deletion = null, wasDeletion = null] = [metadata.deletionTimestamp, old.deletionTimestamp];
  if (deletion !== wasDeletion)
    errors.push(changed('metadata.deletionTimestamp', deletion === zeroTime ? null : deletion));
  const grace = metadata.deletionGracePeriodSeconds ?? null;
  errors.push(...immutable('metadata.deletionGracePeriodSeconds', grace, old.deletionGracePeriodSeconds ?? null));
  return errors;
}

function immutable(field: string, value: JsonValue, old: JsonValue): FieldError[] {
  return value === old ? [] : [changed(field, value)];
}

function changed(field: string, value: JsonValue): FieldError {
  return invalidField(field, value, 'field is immutable');
}

/** Shown as null. */
const zeroTime = '0001-01-01T00:00:00Z';

function nameErrors(
  { name = '', generateName = '' }: Readonly<ObjectMeta>,
  rule: (name: string, prefix: boolean) => readonly string[],
): FieldError[] {
  const errors: FieldError[] = [];
  if (generateName !== '') {
    for (const text of rule(generateName, true)) errors.push(invalidField('metadata.generateName', generateName, text));
  }
  if (name === '') return [...errors, requiredField('metadata.name', 'name or generateName is required')];
  for (const text of rule(name, false)) errors.push(invalidField('metadata.name', name, text));
  return errors;
}

function namespaceErrors(namespace: string, namespaced: boolean): FieldError[] {
  const field = 'metadata.namespace';
  if (!namespaced) return namespace === '' ? [] : [forbiddenField(field, 'not allowed on this type')];
  if (namespace === '') return [requiredField(field)];
  return nameRules.dnsLabel(namespace, false).map((text) => invalidField(field, namespace, text));
}

function generationErrors(generation: Int64): FieldError[] {
  if (generation >= 0) return [];
  return [invalidField('metadata.generation', generation, 'must be greater than or equal to 0')];
}

/** Labels, in metadata and elsewhere. */
export function* labelErrors(labels: { readonly [key: string]: string }, field: string): FieldErrors {
  // Materialising the entries of a very large map takes long.
  for (const key of Object.keys(labels)) {
    const value = labels[key] ?? '';
    for (const text of qualifiedNameErrors(key)) yield invalidField(field, key, text);
    for (const text of labelValueErrors(value)) yield invalidField(field, value, text);
  }
}

/** Annotations, in metadata and elsewhere. */
export function* annotationErrors(annotations: { readonly [key: string]: string }, field: string): FieldErrors {
  let totalBytes = 0;
  for (const key of Object.keys(annotations)) {
    const value = annotations[key] ?? '';
    totalBytes += Buffer.byteLength(key) + Buffer.byteLength(value);
    for (const text of qualifiedNameErrors(key.toLowerCase())) yield invalidField(field, key, text);
  }
  if (totalBytes > annotationsLimitBytes) yield tooLongField(field, annotationsLimitBytes);
}

const maxSubresourceBytes = 256;

const fieldOperations: readonly string[] = ['Apply', 'Update'];

/** Entries that cannot be read were dropped before, except those of embedded objects. */
function* managedFieldsErrors(entries: readonly JsonObject[]): FieldErrors {
  for (const [index, { operation = '', fieldsType = '', manager, subresource }] of entries.entries()) {
    const field = keyPath('metadata.managedFields', index);
    if (operation === '') yield requiredField(childPath(field, 'operation'), 'must not be empty');
    else if (!(fieldOperations as readonly JsonValue[]).includes(operation)) {
      yield notSupportedField(childPath(field, 'operation'), operation, fieldOperations);
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      yield invalidField(childPath(field, 'fieldsType'), fieldsType, 'must be `FieldsV1`');
    }
    if (typeof manager === 'string') yield* fieldManagerErrors(manager, childPath(field, 'manager'));
    if (typeof subresource === 'string' && Buffer.byteLength(subresource) > maxSubresourceBytes) {
      yield tooLongField(childPath(field, 'subresource'), maxSubresourceBytes);
    }
  }
}

function* ownerReferenceErrors(references: readonly OwnerReference[]): FieldErrors {
  const field = 'metadata.ownerReferences';
  let controller = '';
  for (const [index, reference] of references.entries()) {
    yield* referenceErrors(reference, keyPath(field, index));
    if (reference.controller !== true) continue;
    const name = `${reference.kind}/${reference.name}`;
    if (controller === '') {
      controller = name;
      continue;
    }
    const detail = `Only one reference can have Controller set to true. Found "true" in references for ${controller} and ${name}`;
    yield invalidField(field, references.map(shownReference), detail);
  }
}

function referenceErrors(reference: Readonly<Partial<OwnerReference>>, field: string): FieldError[] {
  const errors: FieldError[] = [];
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const parsed = parseApiVersion(apiVersion);
  if (apiVersion === '') errors.push(requiredField(childPath(field, 'apiVersion'), 'must not be empty'));
  else if (parsed === undefined || parsed.version === '') {
    errors.push(invalidField(childPath(field, 'apiVersion'), apiVersion, 'must be <group>/<version> or <version>'));
  }
  if (kind === '') errors.push(requiredField(childPath(field, 'kind'), 'must not be empty'));
  if (name === '') errors.push(requiredField(childPath(field, 'name'), 'must not be empty'));
  if (uid === '') errors.push(requiredField(childPath(field, 'uid'), 'must not be empty'));
  if (apiVersion === 'v1' && kind === 'Event') {
    errors.push(invalidField(field, shownReference(reference), '/v1, Kind=Event is disallowed from being an owner'));
  }
  return errors;
}

/** As Go encodes it: these are not omitted when they are empty. */
function shownReference({
  apiVersion = '',
  kind = '',
  name = '',
  uid = '',
  ...rest
}: Partial<OwnerReference>): JsonObject {
  return { apiVersion, kind, name, uid, ...rest };
}

export function* finalizerErrors(finalizers: readonly string[]): FieldErrors {
  const field = 'metadata.finalizers';
  for (const finalizer of finalizers) {
    for (const text of qualifiedNameErrors(finalizer)) yield invalidField(field, finalizer, text);
  }
  if (finalizers.includes('orphan') && finalizers.includes('foregroundDeletion')) {
    yield invalidField(field, [...finalizers], 'finalizer orphan and foregroundDeletion cannot be both set');
  }
}
