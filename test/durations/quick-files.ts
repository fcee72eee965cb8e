import { type Durations, secondsOf, type TestFile } from './durations.ts';

/** Files that take at most `seconds`, and the shortest one of each folder of `test/` that has none. */
export function quickFiles(files: readonly TestFile[], durations: Durations, seconds: number): readonly TestFile[] {
  return [...Map.groupBy(files, folderOf).values()].flatMap((inFolder) => {
    const sorted = inFolder.toSorted((a, b) => secondsOf(a, durations) - secondsOf(b, durations));
    const quick = sorted.filter((file) => secondsOf(file, durations) <= seconds);
    return quick.length > 0 ? quick : sorted.slice(0, 1);
  });
}

/** `documents 1, etcd 5`: the number of files in each folder of `test/`. */
export function countsByFolder(files: readonly TestFile[]): string {
  return [...Map.groupBy(files, folderOf)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([folder, inFolder]) => `${folder} ${inFolder.length}`)
    .join(', ');
}

/** `etcd` of `test/etcd/outage.test.ts`, and of `test/recorded/etcd/replay.test.ts`. */
function folderOf({ path }: TestFile): string {
  const [, folder = path, subject = ''] = path.split('/');
  return folder === 'recorded' ? subject : folder;
}
