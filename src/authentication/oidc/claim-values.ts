import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import { ListObject, MapObject } from '../../cel/values/collections.ts';
import { unescapeName } from '../../cel/values/escaped-names.ts';
import { CelError, Double, isError, type Value } from '../../cel/values/value.ts';

/** Claims as CEL sees them: all numbers are doubles, as in Go's JSON, and names may be escaped. */
export function claimValue(json: JsonValue): Value {
  if (typeof json === 'number' || typeof json === 'bigint') return new Double(Number(json));
  if (Array.isArray(json)) return new ClaimList(json);
  return isJsonObject(json) ? new ClaimMap(json) : json;
}

class ClaimMap extends MapObject {
  readonly #json: JsonObject;

  constructor(json: JsonObject) {
    super();
    this.#json = json;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: Value): Value | undefined {
    if (typeof key !== 'string') return isError(key) ? key : new CelError('no such overload');
    const name = unescapeName(key) ?? key;
    const found = Object.hasOwn(this.#json, name) ? this.#json[name] : undefined;
    return found === undefined ? undefined : claimValue(found);
  }

  *keys(): Generator<Value> {
    yield* Object.keys(this.#json);
  }
}

class ClaimList extends ListObject {
  readonly #json: readonly JsonValue[];

  constructor(json: readonly JsonValue[]) {
    super();
    this.#json = json;
  }

  get size(): number {
    return this.#json.length;
  }

  at(index: number): Value {
    return claimValue(this.#json[index] ?? null);
  }
}
