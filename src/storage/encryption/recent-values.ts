const maxBytes = 4 * 1024 * 1024;

export interface RecentValue {
  readonly stored: Uint8Array;
  /** Decrypted. */
  readonly value: Uint8Array;
}

interface Recent extends RecentValue {
  /** What the key had before: an event shows both. */
  before: RecentValue | undefined;
}

/**
 * Values that have just been encrypted or decrypted, by key: a write need not decrypt what it is about to see as an
 * event. Bounded, so that few plain values outlive their use.
 */
export class RecentValues {
  /** Oldest first. */
  readonly #byKey = new Map<string, Recent>();
  #bytes = 0;

  add(key: string, { stored, value }: RecentValue): void {
    const before = this.#byKey.get(key);
    if (before?.stored === stored || before?.before?.stored === stored) return;
    if (before !== undefined) {
      this.#forget(key, before);
      before.before = undefined;
    }
    const recent = { stored, value, before };
    this.#byKey.set(key, recent);
    this.#bytes += bytesOf(recent);
    if (this.#bytes > maxBytes) this.#limit();
  }

  find(key: string, stored: Uint8Array): Uint8Array | undefined {
    const recent = this.#byKey.get(key);
    if (recent === undefined) return undefined;
    if (isSame(recent.stored, stored)) return recent.value;
    return recent.before !== undefined && isSame(recent.before.stored, stored) ? recent.before.value : undefined;
  }

  #limit(): void {
    for (const [key, oldest] of this.#byKey) {
      if (this.#bytes <= maxBytes) return;
      this.#forget(key, oldest);
    }
  }

  #forget(key: string, recent: Recent): void {
    this.#bytes -= bytesOf(recent);
    this.#byKey.delete(key);
  }
}

function bytesOf({ stored, value, before }: Recent): number {
  const own = stored.length + value.length;
  return before === undefined ? own : own + before.stored.length + before.value.length;
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || (one.length === other.length && Buffer.compare(one, other) === 0);
}
