import type { Graph, State } from './grammar.ts';
import type { Stack } from './lookahead.ts';
import type { TokenType } from './token.ts';

/** One possible parse of the upcoming tokens. */
interface ParserConfiguration {
  readonly state: State;
  readonly alternative: number;
  readonly stack: Stack | undefined;
  /** It has left the rule of the decision. */
  readonly isOutside: boolean;
}

/** Where it is decided. */
interface DecisionPoint {
  readonly graph: Graph;
  readonly state: State;
  readonly precedence: number;
  readonly stack: Stack | undefined;
}

export interface Decision extends DecisionPoint {
  /** Upcoming tokens. */
  readonly typeAt: (ahead: number) => TokenType;
}

/** Number of an alternative, from 1; or the offset of the token at which all of them fail. */
export type Prediction = { readonly alternative: number } | { readonly failsAt: number };

/** Ignores the open rules first; considers them if that does not decide. */
export function predict(decision: Decision): Prediction {
  return simulate(decision, false) ?? simulate(decision, true) ?? { alternative: 1 };
}

function simulate(decision: Decision, isFull: boolean): Prediction | undefined {
  const simulation = new Simulation(decision, isFull);
  const beginning = isFull ? new Beginning(simulation) : beginningOf(decision);
  let { readings } = beginning;
  for (let ahead = 0; ; ahead += 1) {
    const type = decision.typeAt(ahead);
    const reached = ahead === 0 ? beginning.after(type) : simulation.step(readings, type);
    if (reached.length === 0) {
      const finished = finishedAlternative(readings);
      return finished === undefined ? { failsAt: ahead } : { alternative: finished };
    }
    const [only, ...others] = new Set(reached.map(({ alternative }) => alternative));
    if (only !== undefined && others.length === 0) return { alternative: only };
    const conflict = conflictOf(reached);
    if (!isFull && (conflict.isCertain || reached.every(({ state }) => state.kind === 'stop'))) return undefined;
    if (isFull && conflict.winner !== undefined) return { alternative: conflict.winner };
    readings = reached;
  }
}

/** Where a decision begins, and what its first token leaves of it: most are decided by one or two. */
class Beginning {
  readonly readings: readonly ParserConfiguration[];
  readonly #simulation: Simulation;
  readonly #after = new Map<TokenType, readonly ParserConfiguration[]>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.readings = simulation.start();
  }

  after(type: TokenType): readonly ParserConfiguration[] {
    let reached = this.#after.get(type);
    if (reached === undefined) this.#after.set(type, (reached = this.#simulation.step(this.readings, type)));
    return reached;
  }
}

const beginnings = new WeakMap<State, Map<number, Beginning>>();

/** While open rules are ignored, a state and a precedence determine it. */
function beginningOf({ graph, state, precedence }: DecisionPoint): Beginning {
  let byPrecedence = beginnings.get(state);
  if (byPrecedence === undefined) beginnings.set(state, (byPrecedence = new Map<number, Beginning>()));
  let beginning = byPrecedence.get(precedence);
  if (beginning === undefined) {
    // It outlives the tokens of this decision.
    beginning = new Beginning(new Simulation({ graph, state, precedence, stack: undefined }, false));
    byPrecedence.set(precedence, beginning);
  }
  return beginning;
}

/** The first alternative that had left its rule: the rest belongs to the caller. */
function finishedAlternative(readings: readonly ParserConfiguration[]): number | undefined {
  const finished = readings.filter(
    ({ isOutside, state, stack }) => isOutside || (state.kind === 'stop' && stack === undefined),
  );
  return finished.length === 0 ? undefined : Math.min(...finished.map(({ alternative }) => alternative));
}

interface Conflict {
  /** Some configurations differ only in their alternative, and no state belongs to a single one. */
  readonly isCertain: boolean;
  /** When all conflicts resolve to the same alternative. */
  readonly winner: number | undefined;
}

function conflictOf(readings: readonly ParserConfiguration[]): Conflict {
  const byPlace = new Map<string, Set<number>>();
  const byState = new Map<number, Set<number>>();
  for (const { state, stack, alternative } of readings) {
    added(byPlace, placeOf(state, stack)).add(alternative);
    added(byState, state.id).add(alternative);
  }
  const places = [...byPlace.values()];
  const winners = new Set(places.map((alternatives) => Math.min(...alternatives)));
  const [winner, ...others] = winners;
  return {
    isCertain: places.some(({ size }) => size > 1) && [...byState.values()].every(({ size }) => size > 1),
    winner: others.length === 0 ? winner : undefined,
  };
}

function added<K>(map: Map<K, Set<number>>, key: K): Set<number> {
  const known = map.get(key) ?? new Set<number>();
  map.set(key, known);
  return known;
}

function placeOf(state: State, stack: Stack | undefined): string {
  let place = String(state.id);
  for (let open = stack; open !== undefined; open = open.outer) place += ` ${open.follow.id}`;
  return place;
}

/** Rules that are operator loops: the loop takes what it can. */
const operatorRules: ReadonlySet<string> = new Set(['relation', 'calc', 'member']);

function isOperatorLoop({ rule, kind }: State): boolean {
  return kind === 'loop-entry' && operatorRules.has(rule);
}

/** Drops configurations of other alternatives that coincide with the first. */
function withoutRivals(readings: readonly ParserConfiguration[]): readonly ParserConfiguration[] {
  const first = new Set(
    readings.filter(({ alternative }) => alternative === 1).map(({ state, stack }) => placeOf(state, stack)),
  );
  return readings.filter(({ alternative, state, stack }) => alternative === 1 || !first.has(placeOf(state, stack)));
}

class Simulation {
  readonly #place: DecisionPoint;
  readonly #isFull: boolean;

  constructor(place: DecisionPoint, isFull: boolean) {
    this.#place = place;
    this.#isFull = isFull;
  }

  start(): readonly ParserConfiguration[] {
    const stack = this.#isFull ? this.#place.stack : undefined;
    const readings = this.#place.state.edges.map((edge, index) => ({
      state: edge.to,
      alternative: index + 1,
      stack,
      isOutside: false,
    }));
    const all = this.#closure(readings, { isStart: true, atEnd: false });
    return this.#isFull || !isOperatorLoop(this.#place.state) ? all : withoutRivals(all);
  }

  step(readings: readonly ParserConfiguration[], type: TokenType): readonly ParserConfiguration[] {
    const moved: ParserConfiguration[] = [];
    const stopped: ParserConfiguration[] = [];
    for (const reading of readings) {
      if (reading.state.kind === 'stop') {
        if (this.#isFull || type === 'EOF') stopped.push(reading);
        continue;
      }
      for (const edge of reading.state.edges) {
        if (edge.kind === 'tokens' && edge.tokens.has(type)) moved.push({ ...reading, state: edge.to });
      }
    }
    const isUnique = new Set(moved.map(({ alternative }) => alternative)).size === 1;
    let reached =
      stopped.length === 0 && type !== 'EOF' && isUnique
        ? moved
        : this.#closure(moved, { isStart: false, atEnd: type === 'EOF' });
    if (type === 'EOF') reached = reached.filter(({ state }) => state.kind === 'stop');
    const hasStopped = reached.some(({ state }) => state.kind === 'stop');
    return stopped.length > 0 && !(this.#isFull && hasStopped) ? [...reached, ...stopped] : reached;
  }

  /** Everything reachable without consuming a token. */
  #closure(
    readings: readonly ParserConfiguration[],
    { isStart, atEnd }: { isStart: boolean; atEnd: boolean },
  ): readonly ParserConfiguration[] {
    const found: ParserConfiguration[] = [];
    const seen = new Set<string>();
    const open = [...readings].reverse();
    for (let reading = open.pop(); reading !== undefined; reading = open.pop()) {
      const key = `${reading.alternative} ${placeOf(reading.state, reading.stack)}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const next = reading.state.kind === 'stop' ? this.#left(reading) : this.#entered(reading, isStart, atEnd);
      if (next === undefined || reading.state.edges.some(({ kind }) => kind === 'tokens')) found.push(reading);
      open.push(...(next ?? []).toReversed());
    }
    return found;
  }

  /** Returns to the caller of a finished rule; without a stack to every caller, unless the context is complete. */
  #left({ state, alternative, stack, isOutside }: ParserConfiguration): readonly ParserConfiguration[] | undefined {
    if (stack !== undefined) return [{ state: stack.follow, alternative, stack: stack.outer, isOutside }];
    if (this.#isFull) return undefined;
    const follows = this.#place.graph.follows.get(state.rule) ?? [];
    if (follows.length === 0) return undefined;
    return follows.map((follow) => ({ state: follow, alternative, stack, isOutside: true }));
  }

  #entered(reading: ParserConfiguration, isStart: boolean, atEnd: boolean): readonly ParserConfiguration[] {
    const { graph, precedence, state: start } = this.#place;
    return reading.state.edges.flatMap((edge): ParserConfiguration[] => {
      switch (edge.kind) {
        case 'tokens':
          // After the end there is only the end.
          return atEnd && edge.tokens.has('EOF') ? [{ ...reading, state: edge.to }] : [];
        case 'rule':
          return [{ ...reading, state: graph.start(edge.rule), stack: { follow: edge.to, outer: reading.stack } }];
        case 'precedence': {
          const isOwn =
            isStart &&
            !reading.isOutside &&
            reading.state.rule === start.rule &&
            isBase(reading, this.#place, this.#isFull);
          return isOwn && edge.precedence < precedence ? [] : [{ ...reading, state: edge.to }];
        }
        case 'empty':
          return [{ ...reading, state: edge.to }];
      }
    });
  }
}

/** No rule was entered or left since the decision began. */
function isBase({ stack }: ParserConfiguration, place: DecisionPoint, isFull: boolean): boolean {
  return stack === (isFull ? place.stack : undefined);
}
