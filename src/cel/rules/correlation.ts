import type { JsonValue } from '../../api/json/json.ts';
import { type Former, formerField, formerItem, isUnchanged } from '../../schema/custom/former-value.ts';

/** A value and its previous value. */
class Pair {
  readonly former: Former;
  readonly #value: JsonValue;
  #isUnchanged: boolean | undefined;

  constructor(former: Former, value: JsonValue) {
    this.former = former;
    this.#value = value;
  }

  get isUnchanged(): boolean {
    this.#isUnchanged ??= isUnchanged(this.former.schema, this.#value, this.former.value);
    return this.#isUnchanged;
  }
}

function pairOf(former: Former | undefined, value: JsonValue): Pair | undefined {
  return former === undefined ? undefined : new Pair(former, value);
}

/**
 * Correlates values with their previous ones. Where that is impossible, as for items of lists without keys, the nearest
 * correlated ancestor counts.
 */
export class Correlation {
  readonly #own: Pair | undefined;
  readonly #around: Pair | undefined;

  private constructor(own: Pair | undefined, around: Pair | undefined) {
    this.#own = own;
    this.#around = around;
  }

  static ofRoot(value: JsonValue, former: Former | undefined): Correlation {
    return new Correlation(pairOf(former, value), undefined);
  }

  get isUnchanged(): boolean {
    return (this.#own ?? this.#around)?.isUnchanged === true;
  }

  field(name: string, value: JsonValue): Correlation {
    if (this.#own === undefined) return this;
    // Both objects have been converted to the same version, so a change of version is invisible.
    const isKind = this.#around === undefined && (name === 'apiVersion' || name === 'kind');
    if (isKind) return new Correlation(undefined, undefined);
    return new Correlation(pairOf(formerField(this.#own.former, name), value), this.#own);
  }

  item(value: JsonValue): Correlation {
    if (this.#own === undefined) return this;
    return new Correlation(pairOf(formerItem(this.#own.former, value), value), this.#own);
  }
}
