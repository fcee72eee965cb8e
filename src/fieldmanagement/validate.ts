import { isJsonObject, type JsonObject, type JsonValue } from '../api/json.ts';
import { itemElement, ListItemError } from './list-items.ts';
import { type ListType, type MapType, type MergeType, shapeOf, typeAt, type TypedValue } from './merge-type.ts';
import { fieldElement, formatPathElement, indexElement, type PathElement } from './path-element.ts';
import {
  addErrors,
  below,
  noErrors,
  pointerText,
  scalarErrors,
  TypedValueError,
  type ValueError,
  valueError,
} from './value-errors.ts';

/** `value` with its type; throws a TypedValueError when it does not fit. Updates may repeat items of lists, appliers may not. */
export function typedValue(
  type: MergeType,
  value: JsonValue | undefined,
  { allowDuplicates }: { readonly allowDuplicates: boolean },
): TypedValue {
  const errors = validate(type, value, allowDuplicates);
  if (errors.length > 0) throw new TypedValueError(errors);
  return { type, value };
}

function validate(type: MergeType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] {
  const shape = shapeOf(type, value);
  if (shape === 'map' && type.map !== undefined) return validateMap(type.map, value, allowDuplicates);
  if (shape === 'scalar' && type.scalar !== undefined) return scalarErrors(type.scalar, value);
  if (shape === 'list' && type.list !== undefined) return validateList(type.list, value, allowDuplicates);
  return valueError('schema error: no type found matching: inlined type');
}

function validateMap(map: MapType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] {
  if (value === undefined) return valueError('expected map, got nil');
  if (value === null) return noErrors;
  if (!isJsonObject(value)) return valueError(`expected map, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  for (const key of Object.keys(value)) {
    const item = (value as Readonly<JsonObject>)[key];
    if (item === undefined) continue;
    const type = typeAt(map, key);
    if (type === undefined) {
      // What comes after the first unknown field is not looked at.
      addErrors(errors, below(fieldElement(key), valueError('field not declared in schema')));
      break;
    }
    addErrors(errors, below(fieldElement(key), validate(type, item, allowDuplicates)));
  }
  return errors;
}

function validateList(list: ListType, value: JsonValue | undefined, allowDuplicates: boolean): readonly ValueError[] {
  if (value === null || value === undefined) return noErrors;
  if (!Array.isArray(value)) return valueError(`expected list, got ${pointerText(value)}`);
  const errors: ValueError[] = [];
  const seen = new Set<PathElement>();
  for (const [index, item] of value.entries()) {
    let element = indexElement(index);
    if (list.associative) {
      try {
        element = itemElement(list, item);
      } catch (error) {
        if (!(error instanceof ListItemError)) throw error;
        addErrors(errors, valueError(`element ${index}: ${error.message}`));
        break;
      }
      if (seen.has(element) && !allowDuplicates) {
        addErrors(errors, valueError(`duplicate entries for key ${formatPathElement(element)}`));
      }
      seen.add(element);
    }
    addErrors(errors, below(element, validate(list.element, item, allowDuplicates)));
  }
  return errors;
}
