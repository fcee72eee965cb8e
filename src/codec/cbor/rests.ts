import type { JsonObject, JsonValue } from '../../api/json.ts';
import type { Work } from '../../api/turns.ts';

/** In place of a value of which the rest is read after a pause. */
export const unfinished: JsonObject = {};

type Rest = { readonly read: (member: JsonValue) => JsonValue } | { readonly work: Work<JsonValue> };

/**
 * Lets recursive readers pause that are plain functions. When it is time, each that reads a container sets the rest of
 * it aside and returns `unfinished`: first the innermost one, which also goes on first. Then the others do, with the
 * value that each of them waited for.
 *
 *     {"spec":{"containers":[{...},{...}   ],"restartPolicy":"Always"},"status":{}}
 *                                        ^ pause here: set aside are the rest of the list, of the spec and of the pod
 */
export class Rests {
  readonly #pause: () => Work<void>;
  /** Since the last pause, the innermost first. */
  #aside: Rest[] = [];

  constructor(pause: () => Work<void>) {
    this.#pause = pause;
  }

  /** `read` reads the rest of a container; `member` is the value that it waited for, if any. */
  later(read: (member: JsonValue) => JsonValue): JsonValue {
    this.#aside.push({ read });
    return unfinished;
  }

  /** A value that is made with pauses. */
  workLater(work: Work<JsonValue>): JsonValue {
    this.#aside.push({ work });
    return unfinished;
  }

  /** Reads all that was set aside; returns the value of the outermost reader. */
  *read(): Work<JsonValue> {
    /** The innermost last. */
    const open: Rest[] = [];
    let value: JsonValue = unfinished;
    do {
      if (value === unfinished) {
        open.push(...this.#aside.reverse());
        this.#aside = [];
        yield* this.#pause();
      }
      const rest = open.pop();
      if (rest === undefined) throw new Error('what is unfinished has a rest');
      value = 'work' in rest ? yield* rest.work : rest.read(value);
    } while (open.length > 0 || value === unfinished);
    return value;
  }
}
