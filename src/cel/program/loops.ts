import { findIn, isList, isMap, itemAt, keysOf, type List, listSize, mapSize } from '../values/collections.ts';
import { LoopList, LoopMap } from '../values/loop-values.ts';
import { goTypeName } from '../values/texts.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';

/** A comprehension being compiled: slots of its variables, and its parts. */
export interface Loop {
  readonly range: Evaluate;
  readonly condition: Evaluate;
  readonly step: Evaluate;
  readonly result: Evaluate;
  readonly accumulator: number;
  readonly item: number;
  readonly second: number | undefined;
}

/** The accumulator is initialised on first access: an expression that never accesses it does not pay for it. */
export function accumulatorEvaluator(slot: number, init: Evaluate): Evaluate {
  return (frame) => {
    const known = frame.locals[slot];
    if (known !== undefined) return known;
    const value = begun(init(frame));
    frame.locals[slot] = value;
    return value;
  };
}

/** A fresh empty collection may be filled in place. */
function begun(value: Value): Value {
  if (isList(value)) return listSize(value) === 0 ? new LoopList() : value;
  return isMap(value) && mapSize(value) === 0 ? new LoopMap() : value;
}

export function loopEvaluator(loop: Loop): Evaluate {
  return (frame) => {
    const range = loop.range(frame);
    if (isError(range)) return range;
    frame.locals[loop.accumulator] = undefined;
    const problem = isList(range) ? overList(frame, loop, range) : overMap(frame, loop, range);
    return problem ?? finished(loop.result(frame));
  };
}

function overList(frame: Frame, loop: Loop, list: List): undefined {
  const { item, second, accumulator, condition, step } = loop;
  const { locals } = frame;
  const size = listSize(list);
  for (let index = 0; index < size; index += 1) {
    frame.round();
    const value = itemAt(list, index);
    locals[item] = second === undefined ? value : index;
    if (second !== undefined) locals[second] = value;
    if (condition(frame) === false) return;
    locals[accumulator] = step(frame);
  }
}

function overMap(frame: Frame, loop: Loop, map: Value): CelError | undefined {
  const { item, second, accumulator, condition, step } = loop;
  if (!isMap(map)) {
    return new CelError(
      second === undefined
        ? `got '${goTypeName(map)}', expected iterable type`
        : `unsupported comprehension range type: ${goTypeName(map)}`,
    );
  }
  for (const key of keysOf(map)) {
    frame.round();
    frame.locals[item] = key;
    if (second !== undefined) frame.locals[second] = findIn(map, key) ?? null;
    if (condition(frame) === false) return undefined;
    frame.locals[accumulator] = step(frame);
  }
  return undefined;
}

function finished(value: Value): Value {
  return value instanceof LoopList ? value.values : value;
}
