import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json.ts';
import type { ObjectState } from './recorded.ts';

/** The objects under test: controller revisions in a namespace of their own, which nothing but the test writes, and which updates do not create. */
export const namespace = 'robustness';
export const collectionPath = `/apis/apps/v1/namespaces/${namespace}/controllerrevisions`;
export const storePrefix = `/registry/controllerrevisions/${namespace}/`;

export function pathOf(name: string): string {
  return `${collectionPath}/${name}`;
}

/** Which label a write gives. */
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

/** Throws when this is not one of our objects: nobody else may have put something in its place. */
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

/** A field that must be text. */
export function textOf(object: JsonValue | undefined, name: string): string {
  const value = member(object, name);
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(object)}`);
  return value;
}

export function member(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return object !== undefined && isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
