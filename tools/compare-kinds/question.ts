import type { JsonObject } from '../../src/api/json/json.ts';
import type { Base } from '../walk-schemas/bases.ts';
import type { WalkRequest } from '../walk-schemas/ways.ts';
import type { Random } from '../random-objects/random.ts';

/** A request that both servers are asked; writes of a stored object start from what each has stored. */
export interface Question {
  readonly key: string;
  request(stored: JsonObject): WalkRequest;
}

/** A subject of comparison: the questions about one kind. */
export interface Subject {
  /** Whether an object with random valid fields is stored; else the sample of the kind. */
  readonly isEnriched: boolean;
  questions(base: Base, random: Random, count: number): Iterable<Question>;
}
