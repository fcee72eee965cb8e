import { metadataFieldNames } from '../../../api/meta/metadata-field-names.ts';
import { isJsonObject, type JsonValue } from '../../../api/json/json.ts';
import { writtenEmpty } from '../../../api/json/written-notes.ts';
import { internalTypes } from './generated/internal-types.ts';

// The reference validates the internal form of objects and shows it in messages: Go field names, in struct order,
// including zero values. `generated/internal-types.ts` has the structs that messages show.
//
// | type | zero value |
// |---|---|
// | `*T`, `[]T`, `{}T` (map) | null |
// | `core.T` (struct) | its fields' zeros |
// | `string`, `number`, `boolean`, `quantity` | "", 0, false, "0" |
// | `plain` (a meta/v1 type, shown as JSON) | {} |
// | `json` (any JSON value) | null |
// | `embedded` (metadata, inlined into the struct) | none |

export interface InternalField {
  readonly goName: string;
  readonly jsonName: string;
  readonly type: string;
}

const parsed = new Map<string, readonly InternalField[]>();

/** The fields of a struct, in order. */
export function fieldsOf(type: string): readonly InternalField[] {
  let fields = parsed.get(type);
  if (fields === undefined) {
    const entries = internalTypes[type] || undefined;
    fields = (entries?.split(' ') ?? []).map((entry) => {
      const [goName = '', jsonName = '', fieldType = ''] = entry.split(':');
      return { goName, jsonName, type: fieldType };
    });
    parsed.set(type, fields);
  }
  return fields;
}

const zeros: { readonly [type: string]: JsonValue } = {
  string: '',
  number: 0,
  boolean: false,
  quantity: '0',
  plain: {},
};

/** The internal form of a decoded value; for `type` see the table above. */
export function internalValue(type: string, value: unknown): JsonValue {
  if (type.startsWith('*')) return value === undefined || value === null ? null : internalValue(type.slice(1), value);
  if (type.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => internalValue(type.slice(2), item)) : null;
  }
  if (type.startsWith('{}')) return mapValue(type.slice(2), value);
  if (!Object.hasOwn(internalTypes, type)) {
    // Scalars and types with a single form; decoded values are JSON.
    if (type === 'plain') return shownSelector(value);
    return value === undefined ? (zeros[type] ?? null) : (value as JsonValue);
  }
  // A struct: a decoded object, or absent.
  const object = (value ?? {}) as { readonly [field: string]: unknown };
  const shown: { [goName: string]: JsonValue } = {};
  for (const { goName, jsonName, type: fieldType } of fieldsOf(type)) {
    const inner = Object.hasOwn(object, jsonName) ? object[jsonName] : writtenEmpty(object, jsonName);
    if (fieldType === 'embedded') for (const [name, item] of metadataFields(inner)) shown[name] = item;
    else shown[goName] = internalValue(fieldType, inner);
  }
  return shown;
}

/** Among meta/v1 types, a label selector contains a map and fields that are never omitted. */
function shownSelector(value: unknown): JsonValue {
  const { matchLabels, matchExpressions, ...others } = (value ?? {}) as { readonly [field: string]: JsonValue }; // JSON
  const expressions = Array.isArray(matchExpressions) ? matchExpressions.filter(isJsonObject) : [];
  return {
    ...(matchLabels === undefined ? {} : { matchLabels: mapValue('string', matchLabels) }),
    ...(expressions.length === 0
      ? {}
      : { matchExpressions: expressions.map((expression) => ({ key: '', operator: '', ...expression })) }),
    ...others,
  };
}

/** Metadata is inlined in the internal form and keeps its JSON names. */
function metadataFields(value: unknown): [string, JsonValue][] {
  const meta = (value ?? {}) as { readonly [field: string]: JsonValue };
  return metadataFieldNames.flatMap((name): [string, JsonValue][] => {
    const item = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (item === undefined) return [];
    if (name === 'ownerReferences' && Array.isArray(item)) return [[name, item.map(shownOwner)]];
    return [[name, name === 'labels' || name === 'annotations' ? mapValue('string', item) : item]];
  });
}

/** The first four fields are never omitted. */
function shownOwner(owner: JsonValue): JsonValue {
  const { controller, blockOwnerDeletion, ...others } = isJsonObject(owner) ? owner : {};
  return {
    apiVersion: '',
    kind: '',
    name: '',
    uid: '',
    ...others,
    ...(controller === undefined ? {} : { controller }),
    ...(blockOwnerDeletion === undefined ? {} : { blockOwnerDeletion }),
  };
}

function mapValue(type: string, value: unknown): JsonValue {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, item]) => [key, internalValue(type, item)]),
  );
}
