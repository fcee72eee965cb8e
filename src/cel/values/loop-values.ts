import { isList, itemsOf, ListObject, MapValue } from './collections.ts';
import type { Value } from './value.ts';

// Accumulators of comprehensions. Nothing else refers to them before the loop ends, so they are mutable.

export class LoopList extends ListObject {
  readonly values: Value[] = [];

  get size(): number {
    return this.values.length;
  }

  at(index: number): Value {
    return this.values[index] ?? null;
  }

  append(list: Value): void {
    if (isList(list)) for (const item of itemsOf(list)) this.values.push(item);
  }
}

export class LoopMap extends MapValue {}
