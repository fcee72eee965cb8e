import type { Serializer } from '../../src/codec/serializer.ts';
import { pick, seeded } from '../random-objects/random.ts';
import { corpusOf } from './corpus.ts';
import { mutate } from './mutate.ts';
import { type Outcome, tryBody } from './try-body.ts';

export interface FuzzOptions {
  readonly serializer: Serializer;
  readonly seed: number;
  readonly count: number;
  /** The number of the first body: together with the seed it reproduces each body. */
  readonly from?: number;
  /** Called before each body. */
  readonly onBody?: (index: number) => void;
  /** Called after each failure; if absent, the first one ends the run. */
  readonly onFailure?: (failure: FuzzFailure) => void;
}

/** Thrown for a body with an effect that none may have. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
  readonly body: Buffer;

  constructor(where: string, body: Buffer, cause: unknown) {
    super(`${where}: ${String(cause)}: ${body.toString('base64')}`, { cause });
    this.body = body;
  }
}

const memoryLimitBytes = 2 ** 30;
const memoryEvery = 10_000;
const writesEvery = 8;
const seedStep = 0x9e37_79b1;

/** Decodes mutated bodies of one format; returns how many were accepted and refused. */
export function fuzz(options: FuzzOptions): { readonly [outcome in Outcome]: number } {
  const { serializer, seed, count, from = 0, onBody, onFailure } = options;
  const corpus = corpusOf(serializer, seeded(seed));
  const outcomes = { taken: 0, refused: 0 };
  const rssBefore = process.memoryUsage().rss;
  for (let index = from; index < from + count; index++) {
    onBody?.(index);
    const random = seeded((seed + Math.imul(index, seedStep)) | 0);
    const { of, body } = pick(random, corpus);
    const mutated = mutate(random, body, pick(random, corpus).body);
    try {
      outcomes[tryBody({ of, serializer, bytes: mutated, writes: index % writesEvery === 0 })] += 1;
      if (index % memoryEvery === 0) checkMemory(rssBefore);
    } catch (error) {
      const failure = new FuzzFailure(`${serializer.mediaType}, seed ${seed}, body ${index}`, mutated, error);
      if (onFailure === undefined) throw failure;
      onFailure(failure);
    }
  }
  return outcomes;
}

/** Other tests of the process may have taken some before. */
function checkMemory(rssBefore: number): void {
  const taken = process.memoryUsage().rss - rssBefore;
  if (taken > memoryLimitBytes) throw new Error(`the process has grown by ${Math.round(taken / 2 ** 20)} MiB`);
}
