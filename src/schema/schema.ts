import type { JsonValue } from '../api/json.ts';
import type { JsonSchema } from './custom/json-schema.ts';

/**
 * The one type tree that every reader walks: decoding, encoding, defaulting, patches, protobuf, apply, OpenAPI, Table, CEL.
 *
 * A node is one *use* of a type, so the markers of a field (`+listType` ...) stand on the field's node, as they do in
 * the schema of a custom resource. Named types are shared: `structure` of two nodes with the same `name` is one object,
 * resolved on first access, and may be recursive (JSONSchemaProps).
 */
export interface Schema {
  readonly type: SchemaType;
  /** Narrows a scalar, or names a type with a wire form of its own. */
  readonly format?: SchemaFormat;
  /** Definition name of a named type, such as `io.k8s.api.core.v1.PodSpec`; scalars with a name (enums) have none. */
  readonly name?: string;
  /** The type as the reference spells it in decode errors: `v1.PodSpec`, `[]v1.Container`, `int32`, `v1.RestartPolicy`. */
  readonly goType: string;
  /** Fields of an `object`; undefined for other types. */
  readonly structure?: Structure;
  /** Element of an `array`, value of a `map`. */
  readonly items?: Schema;
  readonly enum?: readonly string[];
  /** Value of an absent field as the OpenAPI document tells it; only non-zero values are defaulted (see `Field.omit`). */
  readonly default?: unknown;
  readonly listType?: 'atomic' | 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** `atomic` or `granular`, for maps (`+mapType`) and structs (`+structType`). */
  readonly mapType?: 'atomic' | 'granular';
  readonly patchStrategies?: readonly ('merge' | 'replace' | 'retainKeys')[];
  readonly patchMergeKey?: string;
  /** Null is a value of its own; where it is not, it counts as none. Of custom resources: Go's types tell for the others. */
  readonly nullable?: boolean;
  /** An object, or the objects of a list, that keep fields without a schema (`x-kubernetes-preserve-unknown-fields`). */
  readonly preserveUnknownFields?: boolean;
  /** An object with apiVersion, kind and metadata of its own (`x-kubernetes-embedded-resource`). */
  readonly embeddedResource?: boolean;
  /**
   * What a definition says of the value, of custom resources alone: bounds, patterns, alternatives, rules, words. Such values are free JSON: decoding keeps
   * those of another type too, and leaves it to validation to refuse them.
   */
  readonly definition?: JsonSchema;
  /** What values must be beside their type; only schemas of custom kinds say it. */
  readonly demands?: ValueDemands;
  /** A list that is not the same absent and empty: writing an empty one is how clients reset it. */
  readonly keepsEmpty?: boolean;
  /** A named list that protobuf writes as a message with the one field `repeated items = 1` (`Verbs`, `ExtraValue`). */
  readonly protobufItems?: boolean;
}

/** `map` has string keys and one schema for its values; `any` is free JSON. */
export type SchemaType = 'object' | 'map' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | 'any';

/**
 * | format | type | wire form |
 * |---|---|---|
 * | int32, int64, uint32, uint64 ... | integer | |
 * | float, double | number | |
 * | byte | string | base64 |
 * | date-time | string | RFC 3339 in whole seconds (meta/v1 Time) |
 * | micro-time | string | RFC 3339 with six decimals (meta/v1 MicroTime) |
 * | duration | string | Go duration (meta/v1 Duration) |
 * | text | string | any other format of custom resources; kept as it is |
 * | quantity | string | resource.Quantity; numbers are read too |
 * | int-or-string | any | integer or string |
 * | raw-extension | any | an object kept as it is (runtime.RawExtension) |
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

/** The fields of an object in wire order (embedded structs are already inlined). */
export interface Structure {
  /** Go name without the package: `PodSpec`. Empty for the objects of custom resources. */
  readonly goName: string;
  readonly fields: ReadonlyMap<string, Field>;
  /** Members of which one at most is set, as the OpenAPI document tells it (`x-kubernetes-unions`). */
  readonly unions?: readonly Union[];
}

/** Written as it stands into the OpenAPI document. */
export interface Union {
  readonly discriminator?: string;
  /** Go name of each member by its name. */
  readonly 'fields-to-discriminateBy': { readonly [field: string]: string };
}

/** One field of an object. */
export interface Field {
  readonly name: string;
  readonly schema: Schema;
  /** In the OpenAPI sense. Missing ones are reported by validation, not by decoding. */
  readonly required: boolean;
  /** A Go pointer: absent and zero differ. Slices and maps are never pointers. */
  readonly pointer: boolean;
  /**
   * When the encoder leaves the field out (Go's `omitempty`, `omitzero`):
   * `never`: written always, zero value or null when absent; `empty`: left out when nil, zero scalar or empty list or map
   * (a struct that is no pointer is written as `{}`); `zero`: like `empty`, and a struct whose fields are all zero is left out too.
   */
  readonly omit: 'never' | 'empty' | 'zero';
  /** Protobuf field number; undefined where the type has no protobuf form. */
  readonly number?: number;
  /**
   * Protobuf numbers of the embedded messages the field stands in, outermost first: JSON has `volumes[].hostPath`,
   * protobuf has `volumes[].volumeSource(2).hostPath(1)`. Absent where there are none.
   */
  readonly messagePath?: readonly number[];
  /**
   * Go names of the embedded structs the field stands in, outermost first. JSON does not show them, decode errors do:
   * `Go struct field Volume.spec.volumes.VolumeSource.hostPath`. Absent where there are none.
   */
  readonly embeddedIn?: readonly string[];
}

/**
 * What the values of a custom kind must be, as its definition says it in the keywords of OpenAPI. Alternatives are schemas as well, most
 * of which have demands alone.
 */
export interface ValueDemands {
  /** As the definition names them: none is any type, an int-or-string has two. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** As the definition names it; empty where there is none. */
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
  /** All properties that the definition has, those of metadata among them. */
  readonly properties: ReadonlyMap<string, Schema>;
  readonly items: Schema | undefined;
  /** Of properties without a schema of their own. */
  readonly others: Schema | 'forbidden' | undefined;
}
