import { type Digests, readDigests, writeDigests } from '../digests.ts';

const subject = 'apply';

/** A sequence of writes of an object of one kind, and a digest of each response. */
export interface RecordedSequence {
  /** The kind. */
  readonly label: string;
  readonly seed: number;
  readonly digests: Digests;
}

/** `sequences` of built-in kinds, and `custom-sequences`. */
type Recording = 'sequences' | 'custom-sequences';

export function readSequences(name: Recording): readonly RecordedSequence[] {
  return [...readDigests(subject, name)].map(([series, digests]) => {
    const [label = '', seed = ''] = series.split(' ');
    return { label, seed: Number(seed), digests };
  });
}

export function writeSequences(name: Recording, sequences: readonly RecordedSequence[]): void {
  writeDigests(
    subject,
    name,
    sequences.map(({ label, seed, digests }) => [`${label} ${seed}`, digests]),
  );
}
