import type { Value } from '../values/value.ts';
import type { Evaluate, Frame } from './frame.ts';
import { Pause } from './pause.ts';

// Comprehensions may take long, so they may pause, and with them the nodes around them. All other nodes are plain
// functions, those inside of comprehensions as well.

type MaybePaused = Value | Pause<Value>;

/** A node with a comprehension in it, or with something to wait for. */
export class Pausing {
  readonly begin: (frame: Frame) => MaybePaused;

  constructor(begin: (frame: Frame) => MaybePaused) {
    this.begin = begin;
  }
}

/** How a node is evaluated. */
export type Code = Evaluate | Pausing;

export function begin(code: Code, frame: Frame): MaybePaused {
  return code instanceof Pausing ? code.begin(frame) : code(frame);
}

/** Goes on with a value as soon as it is there. */
export function after<T>(value: MaybePaused, next: (value: Value) => T | Pause<T>): T | Pause<T> {
  return value instanceof Pause ? value.before(next) : next(value);
}

/** Numbers places for values in a frame. */
export interface Slots {
  take(): number;
}

/** A node made of one operand. */
export function wrapped(operand: Code, build: (operand: Evaluate) => Evaluate, slots: Slots): Code {
  if (!(operand instanceof Pausing)) return build(operand);
  const slot = slots.take();
  const evaluate = build(valueIn(slot));
  const use = (frame: Frame, value: Value): Value => {
    frame.locals[slot] = value;
    return evaluate(frame);
  };
  return new Pausing((frame) => {
    const value = operand.begin(frame);
    return value instanceof Pause ? used(value, frame, use) : use(frame, value);
  });
}

function used(operand: Pause<Value>, frame: Frame, use: (frame: Frame, value: Value) => Value): Pause<Value> {
  return operand.before((value) => use(frame, value));
}

/** Whether operands after one with this value are evaluated. */
type GoesOn = (value: Value) => boolean;

/** A node made of operands by `build`. */
export function composed(
  operands: readonly Code[],
  build: (operands: readonly Evaluate[]) => Evaluate,
  slots: Slots,
  goesOn: GoesOn = () => true,
): Code {
  const count = operands.findLastIndex((code) => code instanceof Pausing) + 1;
  const rest = operands.slice(count).flatMap((code) => (code instanceof Pausing ? [] : [code]));
  if (count === 0) return build(rest);
  const [first] = operands;
  if (count === 1 && first !== undefined) return wrapped(first, (only) => build([only, ...rest]), slots);
  const ahead = operands.slice(0, count).map((code) => ({ code, slot: slots.take() }));
  const evaluate = build([...ahead.map(({ slot }) => valueIn(slot)), ...rest]);
  const composition = new Composition(ahead, evaluate, goesOn);
  return new Pausing((frame) => composition.evaluate(frame, 0));
}

function valueIn(slot: number): Evaluate {
  return ({ locals }) => locals[slot] ?? null;
}

/** Its value is kept in the slot. */
interface Operand {
  readonly code: Code;
  readonly slot: number;
}

/**
 * A node with operands that may pause. These are evaluated first, along with those before them, and the node finds
 * their values in slots.
 */
class Composition {
  readonly #ahead: readonly Operand[];
  readonly #evaluate: Evaluate;
  readonly #goesOn: GoesOn;

  constructor(ahead: readonly Operand[], evaluate: Evaluate, goesOn: GoesOn) {
    this.#ahead = ahead;
    this.#evaluate = evaluate;
    this.#goesOn = goesOn;
  }

  /** From one of the operands on. */
  evaluate(frame: Frame, first: number): MaybePaused {
    const ahead = this.#ahead;
    for (let index = first; index < ahead.length; index += 1) {
      const { code, slot } = ahead[index] as Operand; // within bounds
      const value = code instanceof Pausing ? code.begin(frame) : code(frame);
      if (value instanceof Pause) return this.#pausedIn(value, frame, index);
      frame.locals[slot] = value;
      if (!this.#goesOn(value)) break;
    }
    return this.#evaluate(frame);
  }

  #pausedIn(operand: Pause<Value>, frame: Frame, index: number): Pause<Value> {
    return operand.before((value) => {
      frame.locals[(this.#ahead[index] as Operand).slot] = value;
      return this.#goesOn(value) ? this.evaluate(frame, index + 1) : this.#evaluate(frame);
    });
  }
}
