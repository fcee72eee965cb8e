/** Limit for cached encodings of stored objects: a list of ten thousand pods in another encoding. */
const maxKeptBytes = 32 * 1024 * 1024;

let keptBytes = 0;
const released = new FinalizationRegistry<number>((sizeBytes) => {
  keptBytes -= sizeBytes;
});

/** Reserves room for bytes that live as long as `owner`; false if there is none. */
export function takeRoom(owner: object, sizeBytes: number): boolean {
  if (keptBytes + sizeBytes > maxKeptBytes) return false;
  keptBytes += sizeBytes;
  released.register(owner, sizeBytes, owner);
  return true;
}

/** The bytes that `owner` has reserved room for are gone before it is. */
export function giveBackRoom(owner: object, sizeBytes: number): void {
  if (released.unregister(owner)) keptBytes -= sizeBytes;
}
