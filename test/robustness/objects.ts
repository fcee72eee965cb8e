import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json.ts';
import type { ObjectState } from './recorded.ts';

/**
 * The objects under test: ControllerRevisions in a namespace of their own, which only the test writes, and which
 * updates do not create.
 */
export const namespace = 'robustness';
export const collectionPath = `/apis/apps/v1/namespaces/${namespace}/controllerrevisions`;
export const storePrefix = `/registry/controllerrevisions/${namespace}/`;

export function pathOf(name: string): string {
  return `${collectionPath}/${name}`;
}

/** The label that a write sets. */
export function sideOf(write: string): string {
  return Number(/\d+$/.exec(write)?.[0]) % 2 === 0 ? 'left' : 'right';
}

export function objectOf(name: string, write: string): JsonObject {
  const metadata = { name, labels: { side: sideOf(write) }, annotations: { base: write, write } };
  return { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata, data: {}, revision: 1 };
}

export function patchOf(write: string): JsonObject {
  return { metadata: { labels: { side: sideOf(write) }, annotations: { write } } };
}

/** Throws for objects that are not ours: no other writer may have replaced them. */
export function stateOf(object: JsonValue | undefined, revision?: number): ObjectState {
  const metadata = member(object, 'metadata');
  return {
    name: textOf(metadata, 'name'),
    revision: revision ?? Number(textOf(metadata, 'resourceVersion')),
    uid: textOf(metadata, 'uid'),
    base: textOf(member(metadata, 'annotations'), 'base'),
    write: textOf(member(metadata, 'annotations'), 'write'),
    side: textOf(member(metadata, 'labels'), 'side'),
  };
}

/** A field that must be a string. */
export function textOf(object: JsonValue | undefined, name: string): string {
  const value = member(object, name);
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(object)}`);
  return value;
}

export function member(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return object !== undefined && isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
