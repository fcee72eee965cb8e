import { isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json.ts';
import { encodeRaw, quoteJson, sortedKeys } from '../api/json-text.ts';

/**
 * A document under change. Nothing that was handed in is changed: a container is copied when it is first opened, and then belongs
 * to the document.
 */
export class PatchedDocument {
  root: JsonValue;
  readonly #opened = new Set<JsonObject | JsonValue[]>();
  /** Counting members takes time in proportion to them, which a patch could ask for thousands of times. */
  readonly #counts = new Map<JsonObject, number>();

  constructor(root: JsonValue) {
    this.root = this.open(root);
  }

  /** `value` itself if it belongs to the document already or is a scalar, else a copy that does; the caller puts it in place. */
  open<T extends JsonValue>(value: T): T {
    if (typeof value !== 'object' || value === null || this.#opened.has(value)) return value;
    // A copy of an array is an array, of an object an object.
    const copy = (Array.isArray(value) ? value.slice() : { ...value }) as T & (JsonObject | JsonValue[]);
    this.#opened.add(copy);
    return copy;
  }

  /** How many members an object in the document has. */
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

  /** JSON in the reference's order of fields, which errors show: objects that the patch has opened are sorted, others are as they were. */
  text(): string {
    return this.#text(this.root);
  }

  #text(value: JsonValue): string {
    if (typeof value !== 'object' || value === null || !this.#opened.has(value)) return encodeRaw(value);
    if (!isJsonObject(value)) return `[${value.map((item) => this.#text(item)).join(',')}]`;
    const members = sortedKeys(value).map((key) => `${quoteJson(key)}:${this.#text(value[key] ?? null)}`);
    return `{${members.join(',')}}`;
  }
}
