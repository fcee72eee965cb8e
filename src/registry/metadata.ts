import { randomInt, randomUUID } from 'node:crypto';
import { cloneData } from '../api/json.ts';
import type { KubernetesObject, ObjectMeta, OwnerReference } from '../api/object.ts';
import { badRequest } from '../api/status-errors.ts';

// No vowels and none of 0, 1, 3: generated names spell nothing and are read aloud without mistakes.
const suffixAlphabet = 'bcdfghjklmnpqrstvwxz2456789';
const suffixLength = 5;
const maxGeneratedPrefix = 63 - suffixLength;

/** A name from `generateName`: the prefix, cut to leave room, and five random characters. */
export function generateName(prefix: string): string {
  let name = prefix.slice(0, maxGeneratedPrefix);
  for (let i = 0; i < suffixLength; i += 1) name += suffixAlphabet[randomInt(suffixAlphabet.length)];
  return name;
}

/** The RFC 3339 form of metadata times: whole seconds, UTC. */
export function formatSeconds(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== formatted.second) {
    formatted = { second, text: `${new Date(second * 1000).toISOString().slice(0, 19)}Z` };
  }
  return formatted.text;
}

/** Many writes have the same second. */
let formatted = { second: Number.NaN, text: '' };

/** Drops what only the server sets; clients may not choose it on create. */
export function wipeSystemMetadata(metadata: ObjectMeta): void {
  delete metadata.uid;
  delete metadata.creationTimestamp;
  delete metadata.deletionTimestamp;
  delete metadata.deletionGracePeriodSeconds;
  delete metadata.selfLink;
}

/** Sets uid and creationTimestamp of a new object. */
export function fillSystemMetadata(metadata: ObjectMeta, nowMs: number): void {
  metadata.creationTimestamp = formatSeconds(nowMs);
  metadata.uid = randomUUID();
}

/** Gives the object the namespace of the request; a different one is refused, or dropped where the kind lives in none. */
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

/** The namespace a request is about: a namespace object itself lives in none. */
export function expectedNamespace(requestNamespace: string, namespaced: boolean): string {
  return namespaced ? requestNamespace : '';
}

/** Removes repeated owner references; answers the uids of those removed. */
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

/** For writes that leave what clients say of an object beside its specification as it was. */
export function keepClientMetadata({ metadata }: KubernetesObject, old: Readonly<KubernetesObject>): void {
  for (const field of clientFields) {
    if (old.metadata[field] === undefined) delete metadata[field];
    else Object.assign(metadata, { [field]: cloneData(old.metadata[field]) });
  }
}
