import type {
  AdmissionAttributes,
  AdmissionOperation,
  ServedVersion,
  VersionedObjects,
  VersionedValues,
} from '../api/contracts/admission.ts';
import type { AuditLevel } from '../api/contracts/audit.ts';
import { type GroupVersionKind, parseApiVersion } from '../api/meta/group-version.ts';
import { isJsonObject, type JsonObject } from '../api/json/json.ts';
import type { JsonSource } from '../api/json/json-tree.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { type Soon } from '../api/scheduling/soon.ts';
import { internalError } from '../api/errors/status-errors.ts';
import type { RequestPassing } from '../api/contracts/request-passing.ts';
import type { RequestStep } from '../api/contracts/request-step.ts';
import type { UserInfo } from '../api/contracts/user.ts';
import { keepNotes } from '../api/json/written-notes.ts';
import { decodeWithNulls, decodeObject } from '../schema/decode.ts';
import { DecodeError } from '../schema/decode-errors.ts';
import { valueNotingFloats } from '../schema/decode-kept.ts';
import { encodeJsonBytes } from '../schema/encode-json.ts';
import { schemaOfOptions } from '../schema/kubernetes/definitions.ts';
import type { Resource } from '../schema/resource.ts';
import type { Schema } from '../schema/schema.ts';
import { isUnstructured } from '../schema/unstructured.ts';
import { wireForm } from '../schema/wire-form.ts';
import { keepUnseenFields } from './kept-fields.ts';
import type { Operation } from './operation.ts';
import { admissionPlace } from '../api/contracts/admission-place.ts';
import { defaultedForStore, type ResourceScope, servedKind } from './resource-scope.ts';

/** A write as submitted to admission. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  /** If it is not the resource's own. */
  readonly kind?: string;
  /** If they are not the operation's. */
  readonly options?: () => JsonObject;
}

/** The attributes of an admission request. */
export function admissionAttributes(operation: Operation, write: AdmittedWrite): AdmissionAttributes {
  return new Attributes(operation, write);
}

/** A class, since most plugins need few of them, and writes without webhooks and policies none of its methods. */
class Attributes implements AdmissionAttributes {
  readonly operation: AdmissionOperation;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly namespace: string;
  readonly name: string;
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  readonly deadlineMs: number;
  readonly user: UserInfo;
  readonly #operation: Operation;
  readonly #write: AdmittedWrite;
  #place: object | undefined;

  constructor(operation: Operation, write: AdmittedWrite) {
    const { group, version, plural, namespaced, kind } = operation.scope.resource;
    this.operation = write.operation;
    this.group = group;
    this.version = version;
    this.resource = plural;
    this.subresource = operation.subresource?.name ?? '';
    this.kind = write.kind ?? kind;
    this.namespaced = namespaced;
    this.namespace = operation.namespace;
    this.name = write.name;
    this.object = write.object;
    this.oldObject = write.oldObject;
    this.dryRun = write.dryRun;
    this.deadlineMs = operation.deadlineMs;
    this.user = operation.user;
    this.#operation = operation;
    this.#write = write;
  }

  get objectKind(): GroupVersionKind {
    return kindOfObjects(this.#operation);
  }

  get options(): JsonObject | null {
    return optionsOf(this.#operation, this.#write);
  }

  get place(): object {
    return (this.#place ??= admissionPlace(this.#operation.kinds.catalogue, this));
  }

  versions(): readonly ServedVersion[] {
    return servedVersions(this.#operation);
  }

  inVersion(target: GroupVersionKind): Promise<VersionedObjects | undefined> {
    return inVersion(this.#operation, this.#write, target);
  }

  valuesIn(target: GroupVersionKind): Promise<VersionedValues | undefined> {
    return valuesIn(this.#operation, this.#write, target);
  }

  async replaceObject(replacement: KubernetesObject): Promise<void> {
    await replaceObject(this.#operation, this.object, replacement);
  }

  warn(text: string): void {
    this.#operation.warn(text);
  }

  waited(durationMs: number): void {
    this.#operation.waited?.(durationMs);
  }

  called(step: RequestStep): void {
    this.#operation.called?.(step);
  }

  get passing(): RequestPassing | undefined {
    return this.#operation.passing?.();
  }

  annotate(key: string, value: () => string, level?: AuditLevel): void {
    this.#operation.annotate(key, value, level);
  }
}

const optionsKinds: Readonly<Record<Exclude<AdmissionOperation, 'CONNECT'>, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

function optionsOf(operation: Operation, write: AdmittedWrite): JsonObject | null {
  // The options of a connection are its object.
  if (write.operation === 'CONNECT') return null;
  const given = (write.options ?? operation.options)?.() ?? {};
  return { kind: optionsKinds[write.operation], apiVersion: 'meta.k8s.io/v1', ...given };
}

/** The kind served at the request's path. */
function kindOfObjects({ scope, subresource }: Operation): GroupVersionKind {
  return servedKind(scope.resource, subresource) ?? subresource ?? scope.resource;
}

/** Options of connections are never served, but have a schema. */
function schemaOfOwnKind({ scope, subresource }: Operation): Schema | undefined {
  return servedKind(scope.resource, subresource)?.schema ?? (subresource && schemaOfOptions(subresource.kind));
}

/** Whether the objects have a kind of their own, such as Scale or Eviction, rather than that of the resource. */
function isOwnKind({ scope, subresource }: Operation): boolean {
  return subresource !== undefined && subresource.kind !== scope.resource.kind;
}

function servedVersions({ scope, subresource, kinds }: Operation): readonly ServedVersion[] {
  const { group, version, plural } = scope.resource;
  const entry = kinds.catalogue.known(group, version, plural)?.entry;
  return (entry?.versions ?? []).flatMap(({ resource, served }) => {
    const kind = served ? kindAt(resource, subresource?.name ?? '') : undefined;
    if (kind === undefined) return [];
    return { resource: { group: resource.group, version: resource.version, resource: resource.plural }, kind };
  });
}

function kindAt(resource: Resource, subresource: string): GroupVersionKind | undefined {
  if (subresource === '') return resource;
  return resource.subresources.find(({ name }) => name === subresource);
}

async function inVersion(
  operation: Operation,
  { object, oldObject }: AdmittedWrite,
  target: GroupVersionKind,
): Promise<VersionedObjects | undefined> {
  if (isOwnKind(operation)) {
    const schema = schemaOfOwnKind(operation);
    return schema === undefined ? undefined : { object, oldObject: cloneIfPresent(oldObject), ...codecOf(schema) };
  }
  const scope = operation.kinds.scopeOfKind(target);
  if (scope === undefined) return undefined;
  const seen = await inServedVersion(scope, object);
  const old = await inServedVersion(scope, oldObject);
  return { object: seen, oldObject: old, ...codecOf(scope.resource.schema) };
}

async function valuesIn(
  operation: Operation,
  { object, oldObject }: AdmittedWrite,
  target: GroupVersionKind,
): Promise<VersionedValues | undefined> {
  const scope = isOwnKind(operation) ? undefined : operation.kinds.scopeOfKind(target);
  const schema = isOwnKind(operation) ? schemaOfOwnKind(operation) : scope?.resource.schema;
  if (schema === undefined) return undefined;
  const seen = await valueIn(schema, scope, object);
  const old = await valueIn(schema, scope, oldObject);
  return { object: seen, oldObject: old };
}

async function valueIn(
  schema: Schema,
  scope: ResourceScope | undefined,
  object: Readonly<KubernetesObject> | undefined,
): Promise<JsonObject | null> {
  if (object === undefined) return null;
  const seen = scope === undefined ? object : await inServedVersion(scope, object);
  return wireForm(schema, seen);
}

/** The object itself if it is stored in this version: callers only read it. */
function inServedVersion<T extends Readonly<KubernetesObject> | undefined>(
  { conversion }: ResourceScope,
  object: T,
): Soon<T | KubernetesObject> {
  return object === undefined || conversion.serves(object) ? object : conversion.fromStored(cloneObject(object));
}

function cloneIfPresent(object: Readonly<KubernetesObject> | undefined): KubernetesObject | undefined {
  return object === undefined ? undefined : cloneObject(object);
}

function codecOf(schema: Schema): Pick<VersionedObjects, 'isTyped' | 'encode' | 'decode'> {
  return {
    isTyped: !isUnstructured(schema),
    encode: (object) => encodeJsonBytes(schema, object), // objects are JSON-shaped
    decode: (source) => decodedObject(schema, source),
  };
}

function decodedObject(schema: Schema, source: JsonSource): KubernetesObject {
  try {
    // Nulls of custom resources are for validation to reject, and the stored version may know more fields.
    const free = isUnstructured(schema)
      ? decodeWithNulls(schema, valueNotingFloats(source), { keepsUnknown: true })
      : undefined;
    const object = isJsonObject(free) ? free : decodeObject(schema, source).object;
    // Decoded by the schema of a kind.
    return keepNotes(object, { metadata: {}, ...object }) as KubernetesObject;
  } catch (error) {
    throw error instanceof DecodeError ? internalError(error.message, { cause: error }) : error;
  }
}

/** In place: the write already holds a reference to the object. */
async function replaceObject(
  operation: Operation,
  object: KubernetesObject | undefined,
  replacement: KubernetesObject,
): Promise<void> {
  if (object === undefined) throw new Error('a deletion has no object to replace');
  const next = isOwnKind(operation) ? replacement : await storedObject(operation, object, replacement);
  for (const field of Object.keys(object)) delete object[field];
  keepNotes(next, Object.assign(object, next));
}

async function storedObject(
  { kinds, scope: { store: target } }: Operation,
  before: Readonly<KubernetesObject>,
  replacement: KubernetesObject,
): Promise<KubernetesObject> {
  const { apiVersion, kind } = replacement;
  const version = parseApiVersion(apiVersion);
  const scope = version === undefined ? undefined : kinds.scopeOfKind({ ...version, kind });
  if (scope === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
  const next = await defaultedForStore(scope, replacement);
  const { resource, store, conversion } = scope;
  if (store !== undefined && conversion.renames) {
    const schemas = { schema: store.resource.schema, version: resource.schema };
    // Objects are JSON-shaped.
    keepUnseenFields(next, before, schemas);
  }
  return target?.inStoredVersion?.(next) ?? next;
}
