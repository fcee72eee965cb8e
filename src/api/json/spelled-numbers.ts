import type { JsonValue } from './json.ts';

/*
 * In free-form JSON Go distinguishes `1.0` from `1`, which plain data does not. Where an unusual spelling has to
 * outlive parsing, a number is one of these: a symbol is neither a number nor a container to readers that do not know
 * it, and equals itself alone.
 */

/** A number that plain data would spell differently. */
export function spelledNumber(text: string): JsonValue {
  return Symbol(text) as unknown as JsonValue; // plain data have no other place for it
}

/** The numbers of one document; numbers of the same spelling are equal. */
export class SpelledNumbers {
  readonly #bySpelling = new Map<string, JsonValue>();

  of(text: string): JsonValue {
    let number = this.#bySpelling.get(text);
    if (number === undefined) {
      number = spelledNumber(text);
      this.#bySpelling.set(text, number);
    }
    return number;
  }
}

/** Whether there is such a number in plain data of any depth. */
export function hasSpelledNumbers(root: JsonValue): boolean {
  const waiting: unknown[] = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (spellingOf(next) !== undefined) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const item of Array.isArray(next) ? next : Object.values(next)) {
      if (typeof item === 'symbol' || typeof item === 'object') waiting.push(item);
    }
  }
  return false;
}

/** The spelling of such a number; undefined for any other value. */
export function spellingOf(value: unknown): string | undefined {
  return typeof value === 'symbol' ? value.description : undefined;
}
