import { findIn, isList, isMap, itemAt, keysOf, listSize, mapSize } from '../values/collections.ts';
import { LoopList, LoopMap } from '../values/loop-values.ts';
import { goTypeName } from '../values/texts.ts';
import { CelError, isError, type Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';
import { Pause } from './pause.ts';
import { type Enclosing, Walk } from './walk.ts';

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
    frame.initialise(slot, value);
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
    const { enclosing } = frame;
    const order = enclosing.begun;
    enclosing.begun += 1;
    const known = frame.isReplaying ? enclosing.inner?.get(order) : undefined;
    const walk = known ?? newWalk(frame, loop);
    if (walk instanceof CelError) return walk;
    if (known !== undefined) enclosing.begun = known.begunBefore;
    if (walk.result !== undefined) return walk.result;
    try {
      frame.begin(walk);
      allRounds(frame, loop, walk);
      walk.result = finished(loop.result(frame));
      if (frame.hasPaused) keep(enclosing, order, walk);
      return walk.result;
    } catch (error) {
      if (error instanceof Pause) {
        frame.pauseIn(walk);
        keep(enclosing, order, walk);
      }
      throw error;
    } finally {
      frame.enclosing = enclosing;
    }
  };
}

function keep(enclosing: Enclosing, order: number, walk: Walk): void {
  enclosing.inner ??= new Map<number, Walk>();
  enclosing.inner.set(order, walk);
}

function newWalk(frame: Frame, loop: Loop): Walk | CelError {
  const range = loop.range(frame);
  if (isError(range)) return range;
  if (isList(range)) return new Walk(loop.accumulator, { items: range, map: undefined }, frame);
  if (isMap(range)) return new Walk(loop.accumulator, { items: keysOf(range), map: range }, frame);
  return new CelError(
    loop.second === undefined
      ? `got '${goTypeName(range)}', expected iterable type`
      : `unsupported comprehension range type: ${goTypeName(range)}`,
  );
}

/** All rounds that are left. */
function allRounds(frame: Frame, { item, second, accumulator, condition, step }: Loop, walk: Walk): void {
  const { locals } = frame;
  const { items, map, size } = walk;
  while (walk.index < size) {
    frame.round();
    const { index } = walk;
    const value = itemAt(items, index);
    if (second === undefined) locals[item] = value;
    else {
      locals[item] = map === undefined ? index : value;
      locals[second] = map === undefined ? value : (findIn(map, value) ?? null);
    }
    const goesOn = condition(frame) !== false;
    if (goesOn) locals[accumulator] = step(frame);
    walk.endRound(frame, goesOn ? index + 1 : size);
  }
}

function finished(value: Value): Value {
  return value instanceof LoopList ? value.values : value;
}
