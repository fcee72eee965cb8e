import { createHash } from 'node:crypto';
import { dealHand, type DeckSizes } from '../queueing/shuffle-dealer.ts';

/** Clients choose names, and so how many flows there are. */
const maxKept = 2_000;

/** The hands of the flows of one schema: hashed once per flow. */
export class Flows {
  readonly #schema: string;
  readonly #deck: DeckSizes;
  readonly #hands = new Map<string, readonly number[]>();

  constructor(schema: string, deck: DeckSizes) {
    this.#schema = schema;
    this.#deck = deck;
  }

  handOf(distinguisher: string): readonly number[] {
    let hand = this.#hands.get(distinguisher);
    if (hand === undefined) {
      hand = dealHand(hashOf(this.#schema, distinguisher), this.#deck);
      if (this.#hands.size >= maxKept) this.#hands.clear();
      this.#hands.set(distinguisher, hand);
    }
    return hand;
  }
}

function hashOf(schema: string, distinguisher: string): bigint {
  return createHash('sha256').update(`${schema}\0${distinguisher}`).digest().readBigUInt64LE();
}
