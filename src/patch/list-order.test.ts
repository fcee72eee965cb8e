import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../api/json/json.ts';
import { orderMerged } from './list-order.ts';
import { withoutRepeats } from './without-repeats.ts';

const fewLetters = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 12 });

describe('withoutRepeats', () => {
  /** The definition, in quadratic time. */
  function slowly(list: JsonValue[]): JsonValue[] {
    let last = list.length - 1;
    for (let i = 0; i < last; i += 1) {
      for (let j = i + 1; j <= last; j += 1) {
        if (list[i] !== list[j]) continue;
        list[j] = list[last] ?? null;
        last -= 1;
        j -= 1;
      }
    }
    return list.slice(0, last + 1);
  }

  it('puts the last item in the place of a duplicate', () => {
    expect(withoutRepeats(['a', 'b', 'a', 'c', 'b', 'd'])).toEqual(['a', 'b', 'd', 'c']);
    fc.assert(
      fc.property(fewLetters, (list) => {
        expect(withoutRepeats([...list])).toEqual(slowly([...list]));
      }),
    );
  });

  it('takes linear time', () => {
    const half = Array.from({ length: 150_000 }, (_, index) => `f${index}`);
    const startMs = performance.now();
    expect(withoutRepeats([...half, ...half])).toHaveLength(half.length);
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});

describe('the order of a merged list', () => {
  /** Items that are not the patch's, in order. */
  function others(merged: readonly string[], serverOrder: readonly string[]): readonly JsonValue[] {
    return orderMerged({ merged, patchOrder: [], serverOrder, mergeKey: '', objects: false });
  }

  /** The reference's insertion sort. */
  function inserted(list: readonly string[], order: readonly string[]): readonly string[] {
    const placeOf = (item: string | undefined) => (order.includes(item ?? '') ? order.indexOf(item ?? '') : undefined);
    const out: string[] = [];
    for (const item of list) {
      const place = placeOf(item);
      let at = out.length;
      for (; at > 0; at -= 1) {
        const before = placeOf(out[at - 1]);
        if (place !== undefined && before !== undefined && before <= place) break;
      }
      out.splice(at, 0, item);
    }
    return out;
  }

  it('is that of an insertion sort', () => {
    expect(others(['x', 'c', 'y', 'a', 'b', 'd'], ['a', 'b', 'c', 'd'])).toEqual(['a', 'b', 'y', 'c', 'd', 'x']);
    fc.assert(
      fc.property(fewLetters, fewLetters, (list, order) => {
        expect(others(list, order)).toEqual(inserted(list, order));
      }),
    );
  });

  it.each(['known', 'unknown'])('takes time in proportion to the list where items are %s', (kind) => {
    const items = Array.from({ length: 200_000 }, (_, index): JsonObject => ({ name: `n${index}` }));
    const serverOrder = kind === 'known' ? items.toReversed() : [];
    const startMs = performance.now();
    const request = {
      merged: items,
      patchOrder: items.slice(0, 100_000),
      serverOrder,
      mergeKey: 'name',
      objects: true,
    };
    const [first] = orderMerged(request);
    expect(isJsonObject(first) && first['name']).toBe(kind === 'known' ? 'n199999' : 'n0');
    expect(performance.now() - startMs).toBeLessThan(15_000);
  });
});
