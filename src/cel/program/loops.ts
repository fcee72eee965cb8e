import {
  findIn,
  isList,
  isMap,
  itemAt,
  keysOf,
  type List,
  listSize,
  type Mapping,
  mapSize,
} from '../values/collections.ts';
import { LoopList, LoopMap } from '../values/loop-values.ts';
import { goTypeName } from '../values/texts.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';
import { Pause } from './pause.ts';
import { after, begin, type Code, Pausing } from './pausing.ts';

/** A comprehension being compiled: slots of its variables, and its parts. */
export interface Loop {
  readonly range: Code;
  /** Macros make it of the accumulator only. */
  readonly condition: Evaluate;
  readonly step: Code;
  readonly result: Code;
  readonly accumulator: number;
  readonly item: number;
  readonly second: number | undefined;
}

/** The accumulator is initialised on first access: an expression that never accesses it does not pay for it. */
export function accumulatorCode(slot: number, init: Code): Code {
  const first = (frame: Frame, value: Value): Value => (frame.locals[slot] = begun(value));
  if (!(init instanceof Pausing)) {
    return (frame) => {
      const known = frame.locals[slot];
      return known === undefined ? first(frame, init(frame)) : known;
    };
  }
  return new Pausing((frame) => {
    const known = frame.locals[slot];
    return known === undefined ? after(init.begin(frame), (value) => first(frame, value)) : known;
  });
}

/** A fresh empty collection may be filled in place. */
function begun(value: Value): Value {
  if (isList(value)) return listSize(value) === 0 ? new LoopList() : value;
  return isMap(value) && mapSize(value) === 0 ? new LoopMap() : value;
}

export function loopCode(loop: Loop): Pausing {
  const { range, accumulator } = loop;
  const walkThrough = (frame: Frame, ranged: Value): Value | Pause<Value> => {
    const walk = walkOf(ranged, loop.second !== undefined);
    if (walk instanceof CelError) return walk;
    frame.locals[accumulator] = undefined;
    return rounds(frame, loop, walk);
  };
  if (!(range instanceof Pausing)) return new Pausing((frame) => walkThrough(frame, range(frame)));
  return new Pausing((frame) => after(range.begin(frame), (value) => walkThrough(frame, value)));
}

/** All rounds that are left, and the result. */
function rounds(frame: Frame, loop: Loop, walk: Walk): Value | Pause<Value> {
  const { item, second, accumulator, condition, step } = loop;
  const { locals } = frame;
  const { items, map, size } = walk;
  while (walk.index < size) {
    if (frame.isSliceOver()) return pausedBefore(frame, loop, walk);
    const { index } = walk;
    const value = itemAt(items, index);
    if (second === undefined) locals[item] = value;
    else {
      locals[item] = map === undefined ? index : value;
      locals[second] = map === undefined ? value : (findIn(map, value) ?? null);
    }
    if (condition(frame) === false) break;
    walk.index = index + 1;
    if (!(step instanceof Pausing)) locals[accumulator] = step(frame);
    else {
      const next = step.begin(frame);
      if (next instanceof Pause) return pausedIn(next, frame, { loop, walk });
      locals[accumulator] = next;
    }
  }
  return after(begin(loop.result, frame), finished);
}

/** At the beginning of a round. */
function pausedBefore(frame: Frame, loop: Loop, walk: Walk): Pause<Value> {
  return new Pause(() => rounds(frame, loop, walk));
}

/** In a round. */
function pausedIn(step: Pause<Value>, frame: Frame, { loop, walk }: { loop: Loop; walk: Walk }): Pause<Value> {
  return step.before((value) => {
    frame.locals[loop.accumulator] = value;
    return rounds(frame, loop, walk);
  });
}

/** A comprehension without rounds, as macros make for local variables: its result, which accesses the accumulator. */
export function bindingCode(accumulator: number, result: Code): Code {
  if (!(result instanceof Pausing)) {
    return (frame) => {
      frame.locals[accumulator] = undefined;
      return finished(result(frame));
    };
  }
  return new Pausing((frame) => {
    frame.locals[accumulator] = undefined;
    return after(result.begin(frame), finished);
  });
}

/** What a loop goes through: a list, or the keys of a map. */
interface Walk {
  readonly items: List;
  readonly map: Mapping | undefined;
  readonly size: number;
  index: number;
}

function walkOf(range: Value, hasTwoVariables: boolean): Walk | CelError {
  if (isError(range)) return range;
  if (isList(range)) return { items: range, map: undefined, size: listSize(range), index: 0 };
  if (isMap(range)) {
    const items = keysOf(range);
    return { items, map: range, size: listSize(items), index: 0 };
  }
  return new CelError(
    hasTwoVariables
      ? `unsupported comprehension range type: ${goTypeName(range)}`
      : `got '${goTypeName(range)}', expected iterable type`,
  );
}

function finished(value: Value): Value {
  return value instanceof LoopList ? value.values : value;
}
