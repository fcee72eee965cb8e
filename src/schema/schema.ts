import type { JsonValue } from '../api/json/json.ts';
import type { JsonSchema } from './custom/json-schema.ts';

/**
 * The one type tree that every reader walks: decoding, encoding, defaulting, patches, protobuf, apply, OpenAPI, Table,
 * CEL.
 *
 * A node is one *use* of a type, so a field's markers (`+listType` ...) are on the field's node, as in the schema of a
 * custom resource. Named types are shared: `structure` of two nodes with the same `name` is one object, resolved on
 * first access, and may be recursive (JSONSchemaProps).
 */
export interface Schema {
  readonly type: SchemaType;
  /** Narrows a scalar, or names a type with its own wire form. */
  readonly format?: SchemaFormat;
  /** Definition name of a named type, such as `io.k8s.api.core.v1.PodSpec`; absent for named scalars (enums). */
  readonly name?: string;
  /** The Go type in decode errors: `v1.PodSpec`, `[]v1.Container`, `int32`, `v1.RestartPolicy`. */
  readonly goType: string;
  /** Fields of an `object`; undefined for other types. */
  readonly structure?: Structure;
  /** Element of an `array`, value of a `map`. */
  readonly items?: Schema;
  readonly enum?: readonly string[];
  /** Default as published in OpenAPI; only non-zero values are applied (see `Field.omit`). */
  readonly default?: unknown;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** `atomic` or `granular`, for maps (`+mapType`) and structs (`+structType`). */
  readonly mapType?: 'atomic' | 'granular';
  readonly patchStrategies?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /**
   * Null is a value of its own; otherwise it means absent. For custom resources only: elsewhere the Go type decides.
   */
  readonly nullable?: boolean;
  /** An object, or the items of a list, that preserve unknown fields (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknownFields?: boolean;
  /** An object with its own apiVersion, kind and metadata (`x-kubernetes-embedded-resource`). */
  readonly embeddedResource?: boolean;
  /**
   * The definition's JSON schema, for custom resources only: bounds, patterns, alternatives, rules, descriptions. Such
   * values are free-form JSON: decoding also keeps values of other types and leaves it to validation to reject them.
   */
  readonly definition?: JsonSchema;
  /** Constraints besides the type; for custom kinds only. */
  readonly constraints?: ValueConstraints;
  /** A list that differs when empty and when absent: clients reset it by writing an empty one. */
  readonly keepsEmpty?: boolean;
  /**
   * A named list that protobuf encodes as a message with the single field `repeated items = 1` (`Verbs`, `ExtraValue`).
   */
  readonly protobufItems?: boolean;
}

/** `map` has string keys and one schema for its values; `any` is free-form JSON. */
export type SchemaType = 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any';

/**
 * | format | type | wire form |
 * |---|---|---|
 * | int32, int64, uint32, uint64 ... | integer | |
 * | float, double | number | |
 * | byte | string | base64 |
 * | date-time | string | RFC 3339, whole seconds (meta/v1 Time) |
 * | micro-time | string | RFC 3339, six decimals (meta/v1 MicroTime) |
 * | duration | string | Go duration (meta/v1 Duration) |
 * | text | string | any other format of custom resources; kept unchanged |
 * | quantity | string | resource.Quantity; numbers are accepted too |
 * | int-or-string | any | integer or string |
 * | raw-extension | any | an object kept unchanged (runtime.RawExtension) |
 * | fields-v1 | any | the tree of owned fields |
 * | json | any | any JSON value (apiextensions JSON) |
 * | schema-or-bool, schema-or-array, schema-or-strings | any | the unions of JSONSchemaProps; `items` is the schema in them |
 */
export type SchemaFormat =
  | 'int32'
  | 'int64'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'float'
  | 'double'
  | 'byte'
  | 'date-time'
  | 'micro-time'
  | 'duration'
  | 'text'
  | 'quantity'
  | 'int-or-string'
  | 'raw-extension'
  | 'fields-v1'
  | 'json'
  | 'schema-or-bool'
  | 'schema-or-array'
  | 'schema-or-strings';

/** The fields of an object in wire order, with embedded structs inlined. */
export interface Structure {
  /** Unqualified Go name: `PodSpec`. Empty for objects of custom resources. */
  readonly goName: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Members of which at most one is set, as published in OpenAPI (`x-kubernetes-unions`). */
  readonly unions?: readonly Union[];
}

/** Copied into the OpenAPI document. */
export interface Union {
  readonly discriminator?: string;
  /** Go name by member name. */
  readonly 'fields-to-discriminateBy': { readonly [field: string]: string };
}

export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** In the OpenAPI sense. Missing values are reported by validation, not by decoding. */
  readonly required: boolean;
  /** A Go pointer: absent and zero differ. Slices and maps are never pointers. */
  readonly pointer: boolean;
  /** A time that is no pointer, of a kind whose validation tells an explicit zero from absence all the same. */
  readonly keepsZero?: boolean;
  /**
   * When the encoder omits the field (Go's `omitempty`, `omitzero`):
   * `never`: always written, as the zero value or null when absent; `empty`: omitted when nil, a zero scalar or an
   * empty list or map (a non-pointer struct is written as `{}`); `zero`: like `empty`, and structs with only zero
   * fields are omitted too.
   */
  readonly omit: 'never' | 'empty' | 'zero';
  /** Protobuf field number; undefined if the type has no protobuf encoding. */
  readonly number?: number;
  /**
   * Protobuf numbers of the enclosing embedded messages, outermost first: JSON has `volumes[].hostPath`,
   * protobuf has `volumes[].volumeSource(2).hostPath(1)`. Absent if there are none.
   */
  readonly messagePath?: readonly number[];
  /**
   * Go names of the enclosing embedded structs, outermost first. They show up in decode errors, not in JSON:
   * `Go struct field Volume.spec.volumes.VolumeSource.hostPath`. Absent if there are none.
   */
  readonly embeddedIn?: readonly string[];
}

/**
 * Constraints on the values of a custom kind, in OpenAPI keywords as in its definition. Alternatives are schemas as
 * well, mostly with nothing but constraints.
 */
export interface ValueConstraints {
  /** As in the definition: empty means any type, an int-or-string has two. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** As in the definition; empty if absent. */
  readonly format: string;
  readonly minimum: number | undefined;
  readonly exclusiveMinimum: boolean;
  readonly maximum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly multipleOf: number | undefined;
  readonly minLength: number | bigint | undefined;
  readonly maxLength: number | bigint | undefined;
  readonly pattern: string;
  readonly minItems: number | bigint | undefined;
  readonly maxItems: number | bigint | undefined;
  readonly minProperties: number | bigint | undefined;
  readonly maxProperties: number | bigint | undefined;
  readonly required: readonly string[];
  readonly enum: readonly JsonValue[];
  readonly anyOf: readonly Schema[];
  readonly oneOf: readonly Schema[];
  readonly allOf: readonly Schema[];
  readonly not: Schema | undefined;
  /** All properties in the definition, including those of metadata. */
  readonly properties: ReadonlyMap<string, Schema>;
  readonly items: Schema | undefined;
  /** For properties without a schema of their own. */
  readonly others: Schema | 'forbidden' | undefined;
}
