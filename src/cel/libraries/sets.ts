import { listType, paramType, types } from '../types/cel-type.ts';
import { itemsOf, type List } from '../values/collections.ts';
import { containsItem } from '../values/membership.ts';
import type { Value } from '../values/value.ts';
import { binary, declare, global, type Library } from './define.ts';

const listOfT = listType(paramType('T'));
const signature = [[listOfT, listOfT], types.bool] as const;

export const setsLibrary: Library = {
  name: 'sets',
  functions: [
    declare('sets.contains', global('list_sets_contains_list', signature, binary(contains))),
    declare(
      'sets.equivalent',
      global(
        'list_sets_equivalent_list',
        signature,
        binary((a, b) => {
          const covers = contains(a, b);
          return covers === true ? contains(b, a) : covers;
        }),
      ),
    ),
    declare(
      'sets.intersects',
      global(
        'list_sets_intersects_list',
        signature,
        binary((a, b) => {
          for (const item of itemsOf(a as List)) if (containsItem(b, item) === true) return true;
          return false;
        }),
      ),
    ),
  ],
};

function contains(list: Value, part: Value): Value {
  for (const item of itemsOf(part as List)) {
    const found = containsItem(list, item);
    if (found !== true) return found;
  }
  return true;
}
