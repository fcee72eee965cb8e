import { FairTurns, type Turns } from '../../api/scheduling/turns.ts';
import type { CallPort } from './call-port.ts';

/** A thread that is too busy to go on must not keep the others from it. */
const longestMs = 2_000;

/** For all threads of the process. */
export function newTurns(): Turns {
  return new FairTurns(longestMs);
}

/** What threads call to charge quotas one after the other, instead of each against the others. */
export interface TurnCalls {
  /** Resolves to the number of the turn when it begins. */
  takeTurn(key: string): Promise<number>;
  endTurn(turn: number): void;
}

/** The functions of the process for one thread; the turns that it has end with it. */
export function turnCalls(turns: Turns, threadEnded: Promise<unknown>): TurnCalls {
  const open = new Map<number, Disposable>();
  let hasEnded = false;
  let last = 0;
  void threadEnded.then(() => {
    hasEnded = true;
    for (const turn of open.values()) turn[Symbol.dispose]();
  });
  return {
    async takeTurn(key) {
      const turn = await turns.take(key);
      if (hasEnded) turn[Symbol.dispose]();
      open.set(++last, turn);
      return last;
    },
    endTurn(number) {
      open.get(number)?.[Symbol.dispose]();
      open.delete(number);
    },
  };
}

/** The turns of the process, for one of its threads. */
export class ProcessTurns implements Turns {
  readonly #process: CallPort<TurnCalls>;

  constructor(process: CallPort<TurnCalls>) {
    this.#process = process;
  }

  async take(key: string): Promise<Disposable> {
    const number = await this.#process.call('takeTurn', key);
    return { [Symbol.dispose]: () => this.#process.tell('endTurn', number) };
  }
}
