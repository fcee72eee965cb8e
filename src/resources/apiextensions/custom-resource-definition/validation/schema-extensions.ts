import {
  childPath,
  forbiddenField,
  invalidField,
  keyPath,
  notSupportedField,
  requiredField,
} from '../../../../api/errors/field-error.ts';
import { type JsonSchema, propertyOf, schemaIn } from '../../../../schema/custom/json-schema.ts';
import { repetitions } from '../../../parts/rules/repetitions.ts';
import type { Errors } from '../../../parts/rules/rules.ts';
import { shownItems } from './shown-schemas.ts';

// `x-kubernetes-list-type` and similar extensions: how lists and maps are merged.

const listTypes = ['atomic', 'set', 'map'];
const mapTypes = ['atomic', 'granular'];

/** Which of these checks apply. */
interface ExtensionRequirements {
  readonly atomicSetItems: boolean;
  readonly presentKeys: boolean;
}

export const schemaTypes = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Whether a schema has any extension that is checked here. */
export function hasExtensions(schema: JsonSchema): boolean {
  return (
    schema['x-kubernetes-preserve-unknown-fields'] !== undefined ||
    schema['x-kubernetes-map-type'] !== undefined ||
    schema['x-kubernetes-list-type'] !== undefined ||
    schema['x-kubernetes-list-map-keys'] !== undefined
  );
}

export function* schemaExtensions(schema: JsonSchema, path: string, requirements: ExtensionRequirements): Errors {
  const preserve = schema['x-kubernetes-preserve-unknown-fields'];
  if (preserve === false) {
    yield invalidField(childPath(path, 'x-kubernetes-preserve-unknown-fields'), preserve, 'must be true or undefined');
  }
  const mapType = schema['x-kubernetes-map-type'];
  if (mapType !== undefined) {
    yield* typeOf(schema, path, 'object', 'x-kubernetes-map-type');
    if (!mapTypes.includes(mapType))
      yield notSupportedField(childPath(path, 'x-kubernetes-map-type'), mapType, mapTypes);
  }
  yield* listExtensions(schema, path, requirements);
  if (requirements.presentKeys) yield* itemsOfMaps(schema, path);
}

/** An extension that requires a certain type. */
function* typeOf({ type = '' }: JsonSchema, path: string, wanted: string, extension: string): Errors {
  if (type === wanted) return;
  const typePath = childPath(path, 'type');
  const detail = `must be ${wanted} if ${extension} is specified`;
  yield type === '' ? requiredField(typePath, detail) : invalidField(typePath, type, detail);
}

function* listExtensions(schema: JsonSchema, path: string, { atomicSetItems }: ExtensionRequirements): Errors {
  const { type } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const typePath = childPath(path, 'x-kubernetes-list-type');
  if (listType !== undefined && type !== 'array') yield* typeOf(schema, path, 'array', 'x-kubernetes-list-type');
  else if (atomicSetItems) yield* itemsOfSets(schema, path);
  if (listType !== undefined && !listTypes.includes(listType)) yield notSupportedField(typePath, listType, listTypes);
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    yield listType === undefined ? requiredField(typePath, detail) : invalidField(typePath, listType, detail);
  }
  if (listType === 'map') yield* mapList(schema, path);
}

/** Items of sets must be atomic. */
export function* itemsOfSets(schema: JsonSchema, path: string): Errors {
  const items = schemaIn(schema.items);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return;
  const itemsPath = childPath(path, 'items');
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    yield invalidField(childPath(itemsPath, 'x-kubernetes-list-type'), listType, detail);
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    // The reference shows the list type as the value.
    yield invalidField(childPath(itemsPath, 'x-kubernetes-map-type'), listType, detail);
  }
}

function* mapList({ items: union, 'x-kubernetes-list-map-keys': keys = [] }: JsonSchema, path: string): Errors {
  const keysPath = childPath(path, 'x-kubernetes-list-map-keys');
  const itemsPath = childPath(path, 'items');
  if (keys.length === 0) yield requiredField(keysPath, 'must not be empty if x-kubernetes-list-type is map');
  if (union === undefined) return yield requiredField(itemsPath, 'must have a schema if x-kubernetes-list-type is map');
  const items = schemaIn(union);
  if (items === undefined) {
    const detail = 'must only have a single schema if x-kubernetes-list-type is map';
    return yield invalidField(itemsPath, shownItems(union), detail);
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    return yield invalidField(childPath(itemsPath, 'type'), items.type ?? '', detail);
  }
  const isRepeated = repetitions();
  for (const key of keys) {
    const property = propertyOf(items, key);
    if (property === undefined) yield invalidField(keysPath, [...keys], 'entries must all be names of item properties');
    else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      // The reference shows the item's type as the value.
      yield invalidField(`${itemsPath}.properties[${key}].type`, items.type, detail);
    }
    if (isRepeated(key)) yield invalidField(keysPath, [...keys], 'must not contain duplicate entries');
  }
}

/** Items of sets and map lists, and the keys of map lists, must be present. */
export function* itemsOfMaps(schema: JsonSchema, path: string): Errors {
  const listType = schema['x-kubernetes-list-type'];
  const items = schemaIn(schema.items);
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return;
  const itemsPath = childPath(path, 'items');
  if (items.nullable === true) {
    yield forbiddenField(
      childPath(itemsPath, 'nullable'),
      `cannot be nullable when x-kubernetes-list-type is ${listType}`,
    );
  }
  if (listType === 'set') return;
  const requiredNames = new Set(items.required);
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const keyField = keyPath(childPath(itemsPath, 'properties'), key);
    const where = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!requiredNames.has(key) && property.default === undefined) {
      yield requiredField(childPath(keyField, 'default'), `${where} must have a default or be a required property`);
    }
    if (property.nullable === true)
      yield forbiddenField(childPath(keyField, 'nullable'), `${where} cannot be nullable`);
  }
}
