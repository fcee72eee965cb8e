/** So many bits of a hash give hands that are almost uniform. */
const hashBits = 60;

export interface DeckSizes {
  readonly queues: number;
  readonly handSize: number;
}

/** Why hands of this size cannot be dealt from this deck; undefined if they can. */
export function deckFault({ queues, handSize }: DeckSizes): string | undefined {
  if (queues <= 0 || handSize <= 0) return `deckSize ${queues} or handSize ${handSize} is not positive`;
  if (handSize > queues) return `handSize ${handSize} is greater than deckSize ${queues}`;
  if (queues > 2 ** 26) return `deckSize ${queues} is impractically large`;
  if (Math.ceil(Math.log2(queues) * handSize) <= hashBits) return undefined;
  return `required entropy bits of deckSize ${queues} and handSize ${handSize} is greater than ${hashBits}`;
}

/**
 * Deals a hand of distinct queues by a hash: flows get different hands, so that one flow that fills its queues leaves
 * others at least one of theirs (shuffle sharding). The hash is read as a number of mixed base:
 *
 *     hash 1000, 128 queues, hand of 3
 *     digits  1000 % 128 = 104,  1000 / 128 = 7 % 127 = 7,  0 % 126 = 0
 *     cards   104, 7, 0: the n-th digit counts the cards left after n were dealt
 */
export function dealHand(hash: bigint, { queues, handSize }: DeckSizes): readonly number[] {
  const digits: number[] = [];
  const hand: number[] = [];
  let left = hash;
  for (let dealt = 0; dealt < handSize; dealt += 1) {
    const base = BigInt(queues - dealt);
    let card = Number(left % base);
    left /= base;
    digits.push(card);
    for (let before = dealt - 1; before >= 0; before -= 1) if (card >= (digits[before] ?? 0)) card += 1;
    hand.push(card);
  }
  return hand;
}
