import { int64Problem } from '../../../api/go/go-integer.ts';
import { goQuote } from '../../../api/go/go-quote.ts';
import type { Int64 } from '../../../api/values/int64.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';

/** An object of any kind. */
interface Annotated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
}

/**
 * A field that the reference's internal objects have, but no version of the API: clients see and write it as an
 * annotation. It behaves like a field of the spec: what is no integer cannot be decoded, and status updates keep it.
 */
export class AnnotatedInteger {
  readonly annotation: string;
  readonly #whenAbsent: '0' | undefined;
  readonly #failure: (text: string) => string;

  constructor(
    annotation: string,
    { whenAbsent, failure = () => '' }: { readonly whenAbsent?: '0'; readonly failure?: (text: string) => string } = {},
  ) {
    this.annotation = annotation;
    this.#whenAbsent = whenAbsent;
    this.#failure = failure;
  }

  /** Why an object cannot be decoded. */
  problem({ metadata }: Annotated): string | undefined {
    const text = metadata?.annotations?.[this.annotation];
    // Where the field may be absent, so is an empty one.
    if (text === undefined || (text === '' && this.#whenAbsent === undefined)) return undefined;
    const why = int64Problem(text);
    return why === undefined ? undefined : `${this.#failure(text)}strconv.ParseInt: parsing ${goQuote(text)}: ${why}`;
  }

  valueIn({ metadata }: Annotated): Int64 | undefined {
    const text = metadata?.annotations?.[this.annotation];
    if (text === undefined || int64Problem(text) !== undefined) return undefined;
    return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text.replace(/^\+/, ''));
  }

  /** Undefined removes it, or makes it zero if it is never absent. */
  set({ metadata }: KubernetesObject, value: Int64 | undefined): void {
    const text = value === undefined ? this.#whenAbsent : String(value);
    if (metadata.annotations?.[this.annotation] === text) return;
    const { [this.annotation]: _, ...others } = metadata.annotations ?? {};
    if (text !== undefined) metadata.annotations = { ...others, [this.annotation]: text };
    else if (Object.keys(others).length > 0) metadata.annotations = others;
    else delete metadata.annotations;
  }

  /** The number as the reference writes it. */
  normalize(object: KubernetesObject): void {
    this.set(object, this.valueIn(object));
  }

  /** Restores what an update must not change. */
  keep(object: KubernetesObject, old: Annotated): void {
    this.set(object, this.valueIn(old));
  }
}
