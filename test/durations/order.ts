import { type Durations, secondsOf, type TestFile } from './durations.ts';

/** The longest first: the last to begin keeps one worker busy when the others have nothing left to do. */
export function longestFirst<T extends TestFile>(files: readonly T[], durations: Durations): readonly T[] {
  return files.toSorted((a, b) => secondsOf(b, durations) - secondsOf(a, durations));
}

/**
 * The longest first as well, but the recorded ones spread over the first two thirds of the run: what takes long among
 * unit tests mostly waits for TTLs, disks and etcd, and leaves the processors to others meanwhile.
 */
export function longestSpread<T extends TestFile>(files: readonly T[], durations: Durations): readonly T[] {
  const long = longestFirst(files, durations).filter((file) => secondsOf(file, durations) > 0);
  const others = files.filter((file) => secondsOf(file, durations) === 0);
  const between = Math.floor((others.length * 2) / 3 / Math.max(long.length, 1));
  return [
    ...long.flatMap((file, i) => [file, ...others.slice(i * between, (i + 1) * between)]),
    ...others.slice(long.length * between),
  ];
}
