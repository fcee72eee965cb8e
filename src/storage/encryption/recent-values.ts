const maxBytes = 1024 * 1024;

interface Recent {
  readonly stored: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Values that have just been encrypted or decrypted, by key: a write need not decrypt what it is about to see as an
 * event. Bounded, so that few plain values outlive their use.
 */
export class RecentValues {
  /** Oldest first; of each key the two newest, which an event shows. */
  readonly #byKey = new Map<string, readonly Recent[]>();
  #bytes = 0;

  add(key: string, stored: Uint8Array, value: Uint8Array): void {
    const known = this.#byKey.get(key) ?? [];
    if (known.some((recent) => recent.stored === stored)) return;
    this.#forget(key);
    const recent = [...known.slice(-1), { stored, value }];
    this.#byKey.set(key, recent);
    this.#bytes += bytesOf(recent);
    for (const oldest of this.#byKey.keys()) {
      if (this.#bytes <= maxBytes) break;
      this.#forget(oldest);
    }
  }

  find(key: string, stored: Uint8Array): Uint8Array | undefined {
    return this.#byKey.get(key)?.find((recent) => isSame(recent.stored, stored))?.value;
  }

  #forget(key: string): void {
    this.#bytes -= bytesOf(this.#byKey.get(key) ?? []);
    this.#byKey.delete(key);
  }
}

function bytesOf(recents: readonly Recent[]): number {
  return recents.reduce((sum, { stored, value }) => sum + stored.length + value.length, 0);
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one === other || (one.length === other.length && Buffer.compare(one, other) === 0);
}
