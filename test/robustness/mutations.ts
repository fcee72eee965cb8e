import type { SourceChange } from './bundles.ts';
import type { ViolationKind } from './check/violation.ts';
import type { DeploymentKind } from './deployment.ts';

/** A deliberate bug and the violation that the checker must report. */
export interface Mutation extends SourceChange {
  readonly title: string;
  /** What mutations on the embedded store are divided by among test files, which run beside each other. */
  readonly about: 'watches' | 'reads' | 'writes';
  readonly caughtAs: readonly ViolationKind[];
  /** Default `embedded`. */
  readonly deployment?: DeploymentKind;
  /** Default `none`; some bugs only show up when servers fail. */
  readonly faults?: 'none' | 'kills' | 'stalls';
}

const changeFeed = 'src/watchcache/change-feed.ts';
const watchCache = 'src/watchcache/watch-cache.ts';
const groupWriter = 'src/storage/embedded/group-writer.ts';
const tell = 'watcher.receive(change);';
const append = 'await this.#log.append(group.writes.map((write) => rowOf(write.change)));';

/** Replacements only use what the project's own code could: they look like plausible mistakes. */
export const mutations: readonly Mutation[] = [
  {
    title: 'an event is occasionally dropped',
    about: 'watches',
    file: changeFeed,
    find: tell,
    replace: `if (change.revision % 20 !== 7) ${tell}`,
    caughtAs: ['watch-gap'],
  },
  {
    title: 'an event is occasionally sent twice',
    about: 'watches',
    file: changeFeed,
    find: tell,
    replace: `${tell} if (change.revision % 20 === 7) ${tell}`,
    caughtAs: ['watch-duplicate'],
  },
  {
    title: 'queued events of a client are sent newest first',
    about: 'watches',
    file: 'src/http/responses/watch-stream.ts',
    find: 'this.#waiting.push(event);',
    replace: 'this.#waiting.splice(this.#next, 0, event);',
    caughtAs: ['watch-order'],
  },
  {
    title: 'an object that leaves a selection is not reported as DELETED',
    about: 'watches',
    file: 'src/watchcache/cache-event.ts',
    find: "return before ? this.#event('DELETED') : undefined;",
    replace: "return before && this.current === undefined ? this.#event('DELETED') : undefined;",
    caughtAs: ['watch-gap'],
  },
  {
    title: 'a deletion is reported with the version of the last change',
    about: 'watches',
    file: 'src/watchcache/cache-event.ts',
    find: "const entry = type === 'DELETED' ? this.previous?.at(this.revision) : this.current;",
    replace: "const entry = type === 'DELETED' ? this.previous : this.current;",
    caughtAs: ['watch-order', 'watch-duplicate', 'watch-content'],
  },
  {
    title: 'a restarted server silently lacks the changes before its start',
    about: 'watches',
    file: watchCache,
    find: 'for (const event of events) if (event.revision <= listed) this.#remember(event);',
    replace: '',
    caughtAs: ['watch-gap'],
    faults: 'kills',
  },
  {
    title: 'a bookmark is ahead of the events',
    about: 'watches',
    file: 'src/http/verbs/watch.ts',
    find: 'line.push(new Bookmark(revision));',
    replace: 'line.push(new Bookmark(revision + 10));',
    caughtAs: ['lying-bookmark', 'watch-order'],
  },
  {
    title: 'the bookmark after the initial events names a later state',
    about: 'watches',
    file: 'src/http/verbs/watch.ts',
    find: 'yield [new Bookmark(revision, true)];',
    replace: 'yield [new Bookmark(revision + 10, true)];',
    caughtAs: ['inconsistent-list'],
  },
  {
    title: 'a consistent read is served from an old state',
    about: 'reads',
    file: watchCache,
    find: 'await this.#options.storage.currentRevision({ deadlineMs });',
    replace: 'this.#revision; const old = this.#snapshots.at(revision - 2); if (old !== undefined) return old;',
    caughtAs: ['stale-read'],
  },
  {
    title: 'a consistent read does not ask etcd for its revision',
    about: 'reads',
    file: watchCache,
    find: 'await this.#options.storage.currentRevision({ deadlineMs });',
    replace: 'this.#revision;',
    caughtAs: ['stale-read'],
    deployment: 'pair',
    faults: 'stalls',
  },
  {
    title: 'a read of any version occasionally goes back',
    about: 'reads',
    file: 'src/registry/read/read.ts',
    find: `cache.takeIn();
    if (freshness > 0) await waitForRevision(cache, freshness, deadlineMs);
    return cache.snapshot();`,
    replace: `if (freshness > 0) await waitForRevision(cache, freshness, deadlineMs);
    const now = cache.snapshot();
    return freshness === 0 && now.revision % 3 === 0 ? (cache.snapshotAt(now.revision - 5) ?? now) : now;`,
    caughtAs: ['backwards-read'],
  },
  {
    title: 'a later page is from the latest state',
    about: 'reads',
    file: 'src/registry/read/list.ts',
    find: ': snapshotSource(known);',
    replace: ': snapshotSource({ revision: state.exact, entries: cache.snapshot().entries });',
    caughtAs: ['inconsistent-list'],
  },
  {
    title: 'a thread hears late what others have written',
    about: 'reads',
    file: 'src/storage/ports/port-connection.ts',
    find: "port.on('message', (message: ReplyMessage) => this.#take(message));",
    replace: "port.on('message', (message: ReplyMessage) => setTimeout(() => this.#take(message), 20));",
    caughtAs: ['stale-read'],
    deployment: 'threads',
  },
  {
    title: 'a thread occasionally misses a change',
    about: 'watches',
    file: 'src/storage/ports/port-server.ts',
    find: 'events: (events) => this.#reply(',
    replace: 'events: (events) => events.some(({ revision }) => revision % 20 === 7) || this.#reply(',
    caughtAs: ['watch-gap', 'stale-read'],
    deployment: 'threads',
  },
  {
    title: 'an acknowledged write never reaches the disk',
    about: 'writes',
    file: groupWriter,
    find: append,
    replace: `if (this.#lastRevision % 20 !== 7) ${append}`,
    caughtAs: ['lost-write'],
  },
  {
    title: 'a write is acknowledged and visible before it is on disk',
    about: 'writes',
    file: groupWriter,
    find: append,
    replace: `const rows = group.writes.map((write) => rowOf(write.change)); setTimeout(() => void this.#log.append(rows), 100);`,
    caughtAs: ['lost-write'],
    faults: 'kills',
  },
  {
    title: 'an update ignores its resource version',
    about: 'writes',
    file: 'src/registry/write/update.ts',
    find: 'if (version !== parseWrittenVersion(current)) throw',
    replace: 'if (version > parseWrittenVersion(current)) throw',
    caughtAs: ['broken-precondition'],
  },
  {
    title: 'the store puts without comparing',
    about: 'writes',
    file: groupWriter,
    find: 'if (found === intent.expectedModRevision && (intent.value !== undefined || found > 0))',
    replace: 'if (found > 0 || (intent.value !== undefined && intent.expectedModRevision === 0))',
    caughtAs: ['broken-precondition'],
  },
  {
    title: 'a deletion ignores its uid precondition',
    about: 'writes',
    file: 'src/registry/kinds/preconditions.ts',
    find: `if (uid !== undefined && uid !== foundUid) {
    const why`,
    replace: `if (uid === '') {
    const why`,
    caughtAs: ['broken-precondition', 'lost-write', 'phantom-write'],
  },
];

const isEmbedded = ({ deployment = 'embedded' }: Mutation): boolean => ['embedded', 'threads'].includes(deployment);

export const mutationsOnEtcd = mutations.filter((mutation) => !isEmbedded(mutation));

export function embeddedMutations(about: Mutation['about']): readonly Mutation[] {
  return mutations.filter((mutation) => isEmbedded(mutation) && mutation.about === about);
}
