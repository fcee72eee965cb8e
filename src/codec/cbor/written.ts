import type { Work } from '../../api/turns.ts';
import { CborWriter } from './cbor-writer.ts';

/** Writing is synchronous between pauses and calls nothing back, so items without pauses share a writer. */
let shared = new CborWriter();

/** What `write` writes, at once. */
export function written(write: (writer: CborWriter) => void): Buffer {
  shared.reset();
  write(shared);
  return shared.take();
}

/** The same with pauses; short items cost no more than at once. */
export function* writtenInTurns(write: (writer: CborWriter) => void): Work<Buffer> {
  const writer = shared;
  writer.reset();
  writer.startPieces();
  write(writer);
  if (!writer.isIncomplete) return writer.take();
  // It goes on while others write.
  shared = new CborWriter();
  return yield* writer.joined();
}
