import { copyJson, isJsonObject, type JsonObject, type JsonValue } from '../../../../src/api/json/json.ts';
import type { KubernetesObject } from '../../../../src/api/meta/object.ts';
import { formatApiVersion } from '../../../../src/api/meta/group-version.ts';
import { StatusError } from '../../../../src/api/errors/status.ts';
import { applyWithOwners } from '../../../../src/fieldmanagement/apply.ts';
import {
  type Entries,
  managedAfterUpdate,
  type ManagedKind,
  type ManagedObject,
} from '../../../../src/fieldmanagement/field-manager.ts';
import { mergeTypeOf } from '../../../../src/fieldmanagement/schema-type.ts';
import { applyMergePatch } from '../../../../src/patch/merge-patch.ts';
import { PatchedDocument } from '../../../../src/patch/patched-document.ts';
import { customSchema } from '../../../../src/schema/custom/custom-schema.ts';
import type { JsonSchema } from '../../../../src/schema/custom/json-schema.ts';
import { decodePlain } from '../../../../src/schema/decode.ts';
import { applyDefaults } from '../../../../src/schema/default.ts';
import { builtInResources } from '../../../../src/schema/kubernetes/resources.ts';
import type { Schema } from '../../../../src/schema/schema.ts';
import { customGroup, type CustomKind, schemaIn } from './definitions.ts';
import type { CustomWrite } from './sequence.ts';

/** The response to a write. */
export interface Kept {
  readonly code: number;
  /** The object with its managedFields, or a Status. */
  readonly body: JsonValue;
}

/**
 * Keeps one custom resource: pruned, defaulted, tracked. Without a server, thousands of recorded steps take
 * seconds.
 */
export class CustomKeeper {
  readonly #custom: CustomKind;
  #stored: ManagedObject | undefined;

  constructor(custom: CustomKind) {
    this.#custom = custom;
  }

  async write(phase: number, write: CustomWrite): Promise<Kept> {
    const schema = schemaIn(this.#custom, phase);
    const live = this.#liveIn(schema, write.version);
    try {
      const { object, entries } = await this.#result(schema, live, write);
      this.#stored = { object: withoutEmptyMetadata(object), entries };
      return { code: live === undefined ? 201 : 200, body: bodyOf(this.#stored) };
    } catch (error) {
      if (error instanceof StatusError) return { code: error.status.code ?? 500, body: statusBody(error) };
      throw error;
    }
  }

  #liveIn(schema: JsonSchema, version: string): ManagedObject | undefined {
    if (this.#stored === undefined) return undefined;
    const object = coerced(schema, { ...this.#stored.object, apiVersion: formatApiVersion(customGroup, version) });
    return { object, entries: this.#stored.entries };
  }

  async #result(
    schema: JsonSchema,
    live: ManagedObject | undefined,
    { operation, manager, version, force, body }: CustomWrite,
  ): Promise<{ readonly object: JsonObject; readonly entries: Entries }> {
    const kind = this.#managedKind(schema, version);
    const now = '2026-01-01T00:00:00Z';
    if (operation === 'apply') {
      const empty = { apiVersion: formatApiVersion(customGroup, version), kind: this.#custom.kind };
      const current = live ?? { object: empty, entries: undefined };
      const request = { live: current, empty, patch: body, manager, force, now };
      const { object, entries } = await applyWithOwners(kind, request);
      return { object: identified(coerced(schema, object ?? current.object)), entries };
    }
    if (live === undefined) throw new StatusError({ code: 404 });
    const updated = identified(coerced(schema, operation === 'merge' ? merged(live.object, body) : body));
    const given = { object: withoutEmptyMetadata(updated), entries: undefined };
    return { object: updated, entries: await managedAfterUpdate(kind, { live, updated: given, manager, now }) };
  }

  #managedKind(schema: JsonSchema, version: string): ManagedKind {
    const { kind, versions } = this.#custom;
    return {
      kind: { group: customGroup, version, kind },
      subresource: '',
      type: mergeTypeOf(compiled(schema)),
      filterOf: () => undefined,
      convert: (object, apiVersion) => {
        if (!versions.some((each) => formatApiVersion(customGroup, each) === apiVersion)) return undefined;
        return isJsonObject(object.value) ? { ...object, value: { ...object.value, apiVersion } } : object;
      },
    };
  }
}

function statusBody({ status }: StatusError): JsonObject {
  // A Status is JSON-shaped.
  return status as unknown as JsonObject;
}

const schemas = new Map<string, Schema>();

/** Schemas of a phase are created anew each time, but are equal. */
function compiled(schema: JsonSchema): Schema {
  const key = JSON.stringify(schema);
  let made = schemas.get(key);
  if (made === undefined) schemas.set(key, (made = customSchema(schema, metadataSchema())));
  return made;
}

function metadataSchema(): Schema {
  const field = builtInResources()
    .find(({ kind }) => kind === 'ConfigMap')
    ?.schema.structure?.fields.get('metadata');
  if (field === undefined) throw new Error('objects have metadata');
  return field.schema;
}

function merged(live: Readonly<JsonObject>, patch: JsonObject): JsonObject {
  const document = new PatchedDocument(live as JsonObject);
  applyMergePatch(document, patch);
  if (!isJsonObject(document.root)) throw new Error('an object stays an object');
  return document.root;
}

function identified(object: JsonObject): JsonObject {
  return { ...object, metadata: { ...(isJsonObject(object['metadata']) ? object['metadata'] : {}), uid: 'u' } };
}

function withoutEmptyMetadata(object: Readonly<JsonObject>): JsonObject {
  return { ...object, metadata: withoutEmpty(object['metadata'] ?? {}) };
}

/** Metadata is decoded into its type, which omits empty maps and nulls. */
function withoutEmpty(metadata: JsonValue): JsonValue {
  if (!isJsonObject(metadata)) return metadata;
  const kept = Object.entries(metadata).filter(
    ([, value]) => value !== null && (!isJsonObject(value) || Object.keys(value).length > 0),
  );
  return Object.fromEntries(kept);
}

function bodyOf({ object, entries }: ManagedObject): JsonObject {
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, ...(entries === undefined ? {} : { managedFields: [...entries] }) } };
}

/** Prunes and defaults. */
function coerced(definition: JsonSchema, object: Readonly<JsonObject>): JsonObject {
  const schema = compiled(definition);
  const { object: read } = decodePlain(schema, copyJson(object as JsonObject));
  applyDefaults(schema, read as unknown as KubernetesObject, {});
  return read;
}
