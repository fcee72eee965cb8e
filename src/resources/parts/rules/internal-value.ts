import { isJsonObject, type JsonValue } from '../../../api/json.ts';
import { internalTypes } from './generated/internal-types.ts';

// The reference validates its internal form of objects and shows that form in messages: Go names for fields, in the
// order of the struct, zero values and all. `generated/internal-types.ts` holds the structs whose values are shown.
//
// | written | zero |
// |---|---|
// | `*T`, `[]T`, `{}T` (map) | null |
// | `core.T` (struct) | its fields' zeros |
// | `string`, `number`, `boolean`, `quantity` | "", 0, false, "0" |
// | `plain` (a type of meta/v1: its JSON form is shown) | {} |
// | `json` (any JSON value) | null |
// | `embedded` (metadata: its fields stand among those of the struct) | none |

export interface InternalField {
  readonly goName: string;
  readonly jsonName: string;
  readonly type: string;
}

const parsed = new Map<string, readonly InternalField[]>();

/** The fields of a struct, in its order. */
export function fieldsOf(type: string): readonly InternalField[] {
  let fields = parsed.get(type);
  if (fields === undefined) {
    fields = (internalTypes[type] ?? '').split(' ').map((entry) => {
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

/** The internal form of a decoded value; `type` as in the table above. */
export function internalValue(type: string, value: unknown): JsonValue {
  if (type.startsWith('*')) return value === undefined || value === null ? null : internalValue(type.slice(1), value);
  if (type.startsWith('[]')) {
    return Array.isArray(value) ? value.map((item) => internalValue(type.slice(2), item)) : null;
  }
  if (type.startsWith('{}')) return mapValue(type.slice(2), value);
  if (!Object.hasOwn(internalTypes, type)) {
    // Scalars and types that have one form only; decoded values are JSON.
    if (type === 'plain') return shownSelector(value);
    return value === undefined ? (zeros[type] ?? null) : (value as JsonValue);
  }
  // A struct: decoded from an object, or absent.
  const object = (value ?? {}) as { readonly [field: string]: unknown };
  return Object.fromEntries(
    fieldsOf(type).flatMap((field) => {
      const inner = Object.hasOwn(object, field.jsonName) ? object[field.jsonName] : undefined;
      return field.type === 'embedded' ? metadataFields(inner) : [[field.goName, internalValue(field.type, inner)]];
    }),
  );
}

/** Of the types of meta/v1 a label selector has a map inside, and fields that are never left out. */
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

const metadataOrder = [
  ...['name', 'generateName', 'namespace', 'selfLink', 'uid', 'resourceVersion', 'generation', 'creationTimestamp'],
  ...['deletionTimestamp', 'deletionGracePeriodSeconds', 'labels', 'annotations', 'ownerReferences', 'finalizers'],
  'managedFields',
];

/** Metadata has no name of its own in the internal form, and its JSON names. */
function metadataFields(value: unknown): [string, JsonValue][] {
  const meta = (value ?? {}) as { readonly [field: string]: JsonValue };
  return metadataOrder.flatMap((name): [string, JsonValue][] => {
    const item = Object.hasOwn(meta, name) ? meta[name] : undefined;
    if (item === undefined) return [];
    if (name === 'ownerReferences' && Array.isArray(item)) return [[name, item.map(shownOwner)]];
    return [[name, name === 'labels' || name === 'annotations' ? mapValue('string', item) : item]];
  });
}

/** These fields are never left out. */
function shownOwner(owner: JsonValue): JsonValue {
  return { apiVersion: '', kind: '', name: '', uid: '', ...(isJsonObject(owner) ? owner : {}) };
}

function mapValue(type: string, value: unknown): JsonValue {
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      .map(([key, item]) => [key, internalValue(type, item)]),
  );
}
