import type { ClientResource } from '../api/client/client.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import { goQuote } from '../api/go/go-quote.ts';
import { isReason, StatusError } from '../api/errors/status.ts';
import { formatTime, timeOf } from '../api/time/time.ts';
import { TimeSlice } from '../api/scheduling/time-slice.ts';
import type { StorageVersionMigration } from '../schema/kubernetes/generated/types/storagemigration-v1.ts';
import { isTrue, type NewCondition, withCondition } from './conditions.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { type FollowedObjects, partsOfKey } from './followed-objects.ts';
import { beginDefinitionMigration, endDefinitionMigration } from './migrated-definition.ts';
import { NotYet } from './work-queue.ts';

type StoredMigration = KubernetesObject & StorageVersionMigration;

export const migrations = {
  group: 'storagemigration.k8s.io',
  version: 'v1',
  resource: 'storageversionmigrations',
  namespace: '',
};
const manager = 'storage-version-migrator-controller';
/** How long the resource of a new migration may be unknown. */
const patienceMs = 60_000;
const neededVerbs = ['update', 'patch', 'list'];
/** An error that a later attempt may not encounter. */
const passingReasons = ['ServerTimeout', 'TooManyRequests', 'ServiceUnavailable', 'InternalError', 'Timeout'] as const;

interface Progress {
  readonly left: number;
  readonly total: number;
}

/**
 * Rewrites all objects of a resource, so that they are stored in its current storage version and encryption.
 *
 * | a migration                    |                                                                              |
 * |--------------------------------|------------------------------------------------------------------------------|
 * | is the oldest of its resource  | gets the condition `Running`, unless another one runs                        |
 * | runs                           | notes the revision of the moment, and patches all objects that are not newer |
 * | has patched all, or cannot     | gets `Succeeded` or `Failed`                                                 |
 * | has ended                      | loses `Running`; a definition forgets the versions that it had stored before |
 */
export class StorageVersionMigrator implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #migrations: FollowedObjects<StoredMigration>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), { queue: 'storage-version-migrator-controller' });
    this.#migrations = this.#loop.follow(migrations, {
      keep: (migration) => migration, // decoded by its schema
      changed: ({ now, before, key }) => {
        if (now !== undefined) this.#loop.queue.add(key);
        else if (before !== undefined) this.#wakeOthers(before);
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  #wakeOthers(migration: StoredMigration): void {
    for (const other of this.#ofResource(migration)) this.#loop.queue.add(`/${other.metadata.name}`);
  }

  #ofResource({ spec }: StoredMigration): readonly StoredMigration[] {
    const { group = '', resource = '' } = spec?.resource ?? {};
    return [...this.#migrations.all()].filter(
      ({ spec: own }) => (own?.resource?.group ?? '') === group && (own?.resource?.resource ?? '') === resource,
    );
  }

  async #work(key: string): Promise<void> {
    const { name } = partsOfKey(key);
    try {
      for (let isDone = false; !isDone && !this.#loop.signal.aborted;) {
        const migration = this.#migrations.get('', name);
        isDone = migration === undefined || (await this.#step(migration)) === 'done';
      }
    } catch (error) {
      if (!isReason(error, 'NotFound')) throw error;
    }
  }

  async #step(migration: StoredMigration): Promise<'done' | 'goes on'> {
    const isRunning = isTrue(migration.status?.conditions, 'Running');
    if (hasEnded(migration)) {
      if (!isRunning) return 'done';
      await endDefinitionMigration(this.#context, migration);
      await this.#say(migration, [
        { type: 'Running', status: 'False', reason: 'MigrationCompleted', message: 'Migration completed' },
      ]);
      this.#wakeOthers(migration);
      return 'done';
    }
    if (!isRunning) {
      if (!this.#isNext(migration)) return 'done';
      await beginDefinitionMigration(this.#context, migration);
      await this.#say(migration, [running()]);
    } else {
      const resource = await this.#resourceOf(migration);
      if (resource === undefined) return 'goes on';
      if ((migration.status?.resourceVersion ?? '') === '') await this.#note(migration, resource);
      else await this.#migrate(migration, resource);
    }
    return 'goes on';
  }

  /** One at a time per resource, oldest first. */
  #isNext(migration: StoredMigration): boolean {
    const waiting = this.#ofResource(migration).filter((each) => !hasEnded(each));
    if (waiting.some(({ status }) => isTrue(status?.conditions, 'Running'))) return false;
    const first = waiting.reduce((a, b) => (isBefore(a, b) ? a : b), migration);
    if (first !== migration) this.#loop.queue.add(`/${first.metadata.name}`);
    return first === migration;
  }

  /** Undefined if the migration has failed because of it. */
  async #resourceOf(migration: StoredMigration): Promise<ClientResource | undefined> {
    const { group = '', resource = '' } = migration.spec?.resource ?? {};
    const known =
      this.#context.shared.resources().find((each) => each.group === group && each.resource === resource) ??
      this.#context.kinds.preferred({ group, resource });
    if (known === undefined) {
      const ageMs = this.#context.clock.now() - Date.parse(migration.metadata.creationTimestamp ?? '');
      if (ageMs < patienceMs) throw new NotYet('the resource of the migration is not served');
      await this.#say(migration, [failed('resource does not exist in discovery')]);
      return undefined;
    }
    if (neededVerbs.every((verb) => known.verbs.includes(verb))) return known;
    const name = goQuote(`${group}/${known.version}, Resource=${resource}`);
    const lack = `resource ${name} does not support discovery operations: [${neededVerbs.join(' ')}]`;
    await this.#say(migration, [failed(lack)]);
    return undefined;
  }

  async #note(migration: StoredMigration, { namespaced, ...resource }: ClientResource): Promise<void> {
    // Of a namespace that does not exist: only the revision is needed.
    const { resourceVersion } = await this.#context.client.list({ ...resource, namespace: namespaced ? '-' : '' });
    await this.#write({ ...migration, status: { ...migration.status, resourceVersion } });
  }

  async #migrate(migration: StoredMigration, resource: ClientResource): Promise<void> {
    const { items } = await this.#context.client.list({ ...resource, namespace: '' });
    const noted = BigInt(migration.status?.resourceVersion ?? '0');
    const total = items.length;
    const old = items.map(({ metadata }) => metadata).filter((metadata) => versionOf(metadata) <= noted);
    const timeSlice = new TimeSlice();
    for (const [index, metadata] of old.entries()) {
      if (this.#loop.signal.aborted) return;
      if (timeSlice.isOver) await timeSlice.next();
      try {
        await this.#rewrite(resource, metadata);
      } catch (error) {
        await this.#stumble(migration, error, { left: old.length - index, total });
        return;
      }
    }
    const succeeded = 'StorageVersionMigrationSucceeded';
    await this.#say(migration, [
      running({ left: 0, total }),
      { type: 'Succeeded', status: 'True', reason: succeeded, message: 'Migration completed' },
    ]);
  }

  /** An object that has been changed or deleted meanwhile needs no rewriting. */
  async #rewrite(resource: ClientResource, metadata: KubernetesObject['metadata']): Promise<void> {
    const { namespace = '', name = '', resourceVersion = '' } = metadata;
    const { group, version, kind } = resource;
    const apiVersion = group === '' ? version : `${group}/${version}`;
    const patch = { apiVersion, kind, metadata: { resourceVersion } };
    try {
      await this.#context.client.patch({ ...resource, namespace, name }, patch, { manager });
    } catch (error) {
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
    }
  }

  async #stumble(migration: StoredMigration, error: unknown, progress: Progress): Promise<void> {
    if (!(error instanceof StatusError)) throw error;
    if (passingReasons.some((reason) => isReason(error, reason))) {
      await this.#say(migration, [running(progress, error)]);
      throw error;
    }
    const { left, total } = progress;
    const text = `${left}/${total} not yet migrated. migration encountered unhandled error: ${error.message}`;
    await this.#say(migration, [running(progress), failed(text)]);
  }

  async #say(migration: StoredMigration, conditions: readonly NewCondition[]): Promise<void> {
    const now = formatTime(timeOf(this.#context.clock.now()));
    const known = migration.status?.conditions ?? [];
    const next = conditions.reduce((all, condition) => withCondition(all, condition, now), known);
    await this.#write({ ...migration, status: { ...migration.status, conditions: next } });
  }

  async #write(migration: StoredMigration): Promise<void> {
    this.#migrations.learn(await this.#context.client.update(migrations, migration, 'status'));
  }
}

function hasEnded({ status }: StoredMigration): boolean {
  return isTrue(status?.conditions, 'Succeeded') || isTrue(status?.conditions, 'Failed');
}

function running(progress?: Progress, error?: Error): NewCondition {
  const { left = 0, total = 0 } = progress ?? {};
  const objects = left > 0 ? `, ${left}/${total} objects not yet migrated` : `, ${total} objects verified migrated`;
  const trouble = error === undefined ? '' : `; transient error: ${error.message}`;
  const message = `The migration is running${total > 0 ? objects : ''}${trouble}`;
  return { type: 'Running', status: 'True', reason: 'MigrationRunning', message };
}

function failed(message: string): NewCondition {
  return { type: 'Failed', status: 'True', reason: 'StorageVersionMigrationFailed', message };
}

function isBefore({ metadata: a }: StoredMigration, { metadata: b }: StoredMigration): boolean {
  const [ofA, ofB] = [a, b].map(({ creationTimestamp = '', name = '' }) => `${creationTimestamp} ${name}`);
  return (ofA ?? '') < (ofB ?? '');
}

function versionOf({ resourceVersion }: KubernetesObject['metadata']): bigint {
  return BigInt(resourceVersion ?? '0');
}
