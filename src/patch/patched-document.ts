import { type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import { encodeRaw, jsonPieces } from '../api/json/json-text.ts';
import { joinNested } from '../api/text/join-nested.ts';

/**
 * A document being patched. The input is never modified: a container is copied when first opened, and the copy belongs
 * to the document.
 */
export class PatchedDocument {
  root: JsonValue;
  readonly #opened = new Set<JsonObject | JsonValue[]>();
  /** Cached: counting members is linear, and a patch could request it thousands of times. */
  readonly #counts = new Map<JsonObject, number>();

  constructor(root: JsonValue) {
    this.root = this.open(root);
  }

  /**
   * Returns `value` itself if it already belongs to the document or is a scalar, else a copy that does; the caller
   * stores it.
   */
  open<T extends JsonValue>(value: T): T {
    if (typeof value !== 'object' || value === null || this.#opened.has(value)) return value;
    // Copies have the type of the original.
    return this.own((Array.isArray(value) ? value.slice() : { ...value }) as T & (JsonObject | JsonValue[]));
  }

  /** Makes a container a part of the document. */
  own<T extends JsonObject | JsonValue[]>(container: T): T {
    this.#opened.add(container);
    return container;
  }

  /** The number of members of an object in the document. */
  countMembers(object: JsonObject): number {
    const known = this.#counts.get(object);
    if (known !== undefined) return known;
    const count = Object.keys(object).length;
    this.#counts.set(object, count);
    return count;
  }

  /** Sets a member of an opened object. */
  setMember(object: JsonObject, key: string, value: JsonValue): void {
    const count = this.#counts.get(object);
    if (count !== undefined && !Object.hasOwn(object, key)) this.#counts.set(object, count + 1);
    setOwn(object, key, value);
  }

  /** Deletes a member of an opened object; false if there is none. */
  deleteMember(object: JsonObject, key: string): boolean {
    if (!Object.hasOwn(object, key)) return false;
    const count = this.#counts.get(object);
    if (count !== undefined) this.#counts.set(object, count - 1);
    delete object[key];
    return true;
  }

  /** JSON in the reference's field order, for errors: opened objects are sorted, others keep their order. */
  text(encode: (value: JsonValue) => string = encodeRaw): string {
    return joinNested<JsonValue>(this.root, (value) => {
      if (typeof value !== 'object' || value === null || !this.#opened.has(value)) return [encode(value)];
      return jsonPieces(value, true);
    });
  }
}
