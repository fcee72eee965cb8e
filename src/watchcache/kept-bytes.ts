/** So much of what is made from stored objects is kept beside them: a list of ten thousand pods in another form. */
const maxKeptBytes = 32 * 1024 * 1024;

let keptBytes = 0;
const released = new FinalizationRegistry<number>((sizeBytes) => {
  keptBytes -= sizeBytes;
});

/** Whether there is room for bytes that live as long as `owner`; if so it is taken until then. */
export function takeRoom(owner: object, sizeBytes: number): boolean {
  if (keptBytes + sizeBytes > maxKeptBytes) return false;
  keptBytes += sizeBytes;
  released.register(owner, sizeBytes);
  return true;
}
