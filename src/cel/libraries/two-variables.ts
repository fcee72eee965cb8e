import { mapInsert, twoVariableMacros } from '../syntax/two-variable-macros.ts';
import { mapType, paramType } from '../types/cel-type.ts';
import { findIn, isMap, keysOf, MapValue, type Mapping } from '../values/collections.ts';
import { LoopMap } from '../values/loop-values.ts';
import { valueText } from '../values/texts.ts';
import { CelError, type Value } from '../values/value.ts';
import { binary, declare, global, type Library, many } from './define.ts';

const paramK = paramType('K');
const paramV = paramType('V');
const mapKV = mapType(paramK, paramV);

export const twoVariableLibrary: Library = {
  name: 'two-variable-comprehensions',
  macros: twoVariableMacros,
  functions: [
    declare(
      mapInsert,
      global(
        '@mapInsert_map_key_value',
        [[mapKV, paramK, paramV], mapKV],
        many(([map, key, value]) => inserted(map as Mapping, key ?? null, value ?? null)),
      ),
      global(
        '@mapInsert_map_map',
        [[mapKV, mapKV], mapKV],
        binary((map, more) => {
          let target: Value = map;
          for (const key of keysOf(more as Mapping)) {
            target = inserted(target as Mapping, key, findIn(more as Mapping, key) ?? null);
            if (!isMap(target)) return target;
          }
          return target;
        }),
      ),
    ),
  ],
};

function inserted(map: Mapping, key: Value, value: Value): Value {
  if (findIn(map, key) !== undefined) return new CelError(`insert failed: key ${valueText(key)} already exists`);
  if (map instanceof LoopMap) {
    map.set(key, value);
    return map;
  }
  const copy = new MapValue();
  copy.set(key, value);
  for (const each of keysOf(map)) copy.set(each, findIn(map, each) ?? null);
  return copy;
}
