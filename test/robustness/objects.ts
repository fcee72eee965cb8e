import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';
import type { ObjectState } from './recorded.ts';

export const namespace = 'robustness';

/** The kind of the objects under test, which only the test writes, and which updates do not create. */
export interface Subject {
  readonly collectionPath: string;
  readonly storePrefix: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Required contents of objects. */
  readonly content: JsonObject;
}

export const customGroup = 'robustness.example.com';

export const subjects = {
  builtIn: {
    collectionPath: `/apis/apps/v1/namespaces/${namespace}/controllerrevisions`,
    storePrefix: `/registry/controllerrevisions/${namespace}/`,
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    content: { data: {}, revision: 1 },
  },
  /** Its definition changes while clients work. */
  custom: {
    collectionPath: `/apis/${customGroup}/v1/namespaces/${namespace}/shiprevisions`,
    storePrefix: `/registry/${customGroup}/shiprevisions/${namespace}/`,
    apiVersion: `${customGroup}/v1`,
    kind: 'ShipRevision',
    content: {},
  },
} as const satisfies { readonly [name: string]: Subject };

/** The name of the object under test that has this key; undefined for other keys. */
export function nameOfKey(key: string): string | undefined {
  const prefix = Object.values(subjects).find(({ storePrefix }) => key.startsWith(storePrefix))?.storePrefix;
  return prefix === undefined ? undefined : key.slice(prefix.length);
}

/** The label that a write sets. */
export function sideOf(write: string): string {
  return Number(/\d+$/.exec(write)?.[0]) % 2 === 0 ? 'left' : 'right';
}

export function objectOf({ apiVersion, kind, content }: Subject, name: string, write: string): JsonObject {
  const metadata = { name, labels: { side: sideOf(write) }, annotations: { base: write, write } };
  return { apiVersion, kind, metadata, ...content };
}

export function patchOf(write: string): JsonObject {
  return { metadata: { labels: { side: sideOf(write) }, annotations: { write } } };
}

/** Throws for objects that are not ours: no other writer may have replaced them. */
export function stateOf(object: JsonValue | undefined, revision?: number): ObjectState {
  const metadata = member(object, 'metadata');
  return {
    name: writtenText(metadata, 'name'),
    revision: revision ?? Number(writtenText(metadata, 'resourceVersion')),
    uid: writtenText(metadata, 'uid'),
    base: writtenText(member(metadata, 'annotations'), 'base'),
    write: writtenText(member(metadata, 'annotations'), 'write'),
    side: writtenText(member(metadata, 'labels'), 'side'),
  };
}

/** A field that must be a string. */
export function writtenText(object: JsonValue | undefined, name: string): string {
  const value = member(object, name);
  if (typeof value !== 'string') throw new Error(`no ${name} in ${JSON.stringify(object)}`);
  return value;
}

export function member(object: JsonValue | undefined, name: string): JsonValue | undefined {
  return object !== undefined && isJsonObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}
