import { SharedWriter } from '../../api/shared-writer.ts';
import type { Work } from '../../api/turns.ts';
import { CborWriter } from './cbor-writer.ts';

const shared = new SharedWriter(() => new CborWriter());

/** What `write` writes, at once. */
export function written(write: (writer: CborWriter) => void): Buffer {
  return shared.written(write).take();
}

/** The same with pauses; short items cost no more than at once. */
export function writtenInTurns(write: (writer: CborWriter) => void): Work<Buffer> {
  return shared.inTurns(write);
}
