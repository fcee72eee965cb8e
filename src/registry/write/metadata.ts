import { randomInt, randomUUID } from 'node:crypto';
import { type FieldError, type FieldErrors, invalidField } from '../../api/errors/field-error.ts';
import { cloneData } from '../../api/json/json.ts';
import { nameRules, pathSegmentErrors } from '../../api/meta/names.ts';
import type { KubernetesObject, ObjectMeta, OwnerReference } from '../../api/meta/object.ts';
import { type ObjectMetaRules, validateObjectMeta } from '../../api/validation/object-meta-validation.ts';
import { badRequest } from '../../api/errors/status-errors.ts';
import type { Resource } from '../../schema/resource.ts';
import type { CompleteStrategy } from '../kinds/complete-strategy.ts';
import type { NameRule, WriteContext } from '../kinds/strategy.ts';

// No vowels and no 0, 1 and 3: generated names form no words and are easy to read aloud.
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxGeneratedPrefix = 63 - suffixLength;

/** How the metadata of an object are validated. */
export function metaRules(
  object: Readonly<KubernetesObject>,
  { namespaced }: Pick<Resource, 'namespaced'>,
  rule: NameRule,
): ObjectMetaRules {
  return { namespaced, nameRule: (name, prefix) => rule(name, prefix, object) };
}

/** Errors of names that their kind does not check, found once all else is right: objects have paths. */
export function lastNameErrors(
  object: Readonly<KubernetesObject>,
  resource: Pick<Resource, 'namespaced'>,
  rule: NameRule,
): FieldErrors {
  if (rule !== nameRules.any) return [];
  return validateObjectMeta(object.metadata, metaRules(object, resource, nameRules.pathSegment));
}

/** How the metadata in an update are validated: a prefix only as a part of a path. */
export function updateMetaRules(object: Readonly<KubernetesObject>, kind: NamedKind): ObjectMetaRules {
  const { knownNameRule } = kind.strategy;
  return metaRules(object, kind.resource, (name, prefix) =>
    prefix ? pathSegmentErrors(name, true) : knownNameRule(name, false, object),
  );
}

/** Errors of a prefix that an update checks like a new one. */
export function prefixErrors(object: Readonly<KubernetesObject>, kind: NamedKind): FieldError[] {
  const { generateName = '' } = object.metadata;
  const texts = generateName === '' ? [] : kind.strategy.knownNameRule(generateName, true, object);
  return texts.map((text) => invalidField('metadata.generateName', generateName, text));
}

interface NamedKind {
  readonly resource: Pick<Resource, 'namespaced'>;
  readonly strategy: Pick<CompleteStrategy, 'knownNameRule'>;
}

/** A name from `generateName`: the prefix, truncated if necessary, and five random characters. */
export function generateName(prefix: string): string {
  let name = prefix;
  // Of bytes; half a character is an unknown one.
  if (Buffer.byteLength(prefix) > maxGeneratedPrefix)
    name = Buffer.from(prefix).toString('utf8', 0, maxGeneratedPrefix);
  for (let i = 0; i < suffixLength; i += 1) name += suffixAlphabet[randomInt(suffixAlphabet.length)];
  return name;
}

/** A metadata timestamp: RFC 3339, whole seconds, UTC. */
export function formatSeconds(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== formatted.second) {
    formatted = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return formatted.text;
}

/** Cached: many writes fall into the same second. */
let formatted = { second: Number.NaN, text: '' };

/** Drops fields that only the server sets. */
export function wipeSystemMetadata(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** Sets uid and creationTimestamp of a new object. */
export function fillSystemMetadata(metadata: ObjectMeta, context: WriteContext): void {
  metadata.creationTimestamp = formatSeconds(context.nowMs);
  metadata.uid = context.objectUid?.() ?? randomUUID();
}

/** Sets the namespace of the request; a different one is refused, or dropped for cluster-scoped kinds. */
export function ensureNamespaceMatches(metadata: ObjectMeta, requestNamespace: string): void {
  const own = metadata.namespace ?? '';
  if (own === requestNamespace) return;
  if (requestNamespace === '') {
    delete metadata.namespace;
    return;
  }
  if (own !== '')
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  metadata.namespace = requestNamespace;
}

/** The namespace expected in an object: empty for cluster-scoped kinds, including Namespace itself. */
export function expectedNamespace(requestNamespace: string, namespaced: boolean): string {
  return namespaced ? requestNamespace : '';
}

/** Removes duplicate owner references; returns the uids of the removed ones. */
export function dedupOwnerReferences(object: KubernetesObject): readonly string[] {
  const references = object.metadata.ownerReferences;
  if (references === undefined || references.length < 2) return [];
  const seen = new Set<string>();
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  for (const reference of references) {
    const identity = JSON.stringify(Object.entries(reference).sort(([a], [b]) => (a < b ? -1 : 1)));
    if (seen.has(identity)) {
      duplicates.push(reference.uid);
    } else {
      seen.add(identity);
      kept.push(reference);
    }
  }
  if (duplicates.length > 0) object.metadata.ownerReferences = kept;
  return duplicates;
}

const clientFields = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

/** Restores all old metadata but the owners of fields, which follow from the write. */
export function keepMetadata(object: KubernetesObject, old: Readonly<KubernetesObject>): void {
  const { managedFields } = object.metadata;
  object.metadata = cloneData({ ...old.metadata });
  if (managedFields === undefined) delete object.metadata.managedFields;
  else object.metadata.managedFields = managedFields;
}

/** Restores the old labels, annotations, finalizers and owner references, for writes that must not change them. */
export function keepClientMetadata({ metadata }: KubernetesObject, old: Readonly<KubernetesObject>): void {
  for (const field of clientFields) {
    if (old.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: cloneData(old.metadata[field]) });
  }
}
