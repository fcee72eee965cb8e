import { Backoff } from '../api/scheduling/backoff.ts';
import type { Client, Collection } from '../api/client/client.ts';
import type { Clock } from '../api/time/clock.ts';
import { isReason } from '../api/errors/status.ts';
import { formatSeconds } from '../registry/write/metadata.ts';
import { type NewCondition, withCondition } from './condition-changes.ts';
import { cleanupFinalizer, type Definition, isTrue } from './definition.ts';
import type { KnownDefinitions } from './known-definitions.ts';

export interface CleanupOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly known: Pick<KnownDefinitions, 'get'>;
  /** Writes status and finalizers; false on a conflict. */
  readonly write: (definition: Definition) => Promise<boolean>;
}

/** Definitions that would share the storage of built-in kinds: their objects must not be deleted as instances. */
const overlapping: ReadonlySet<string> = new Set([
  'apiservices.apiregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
]);

/** Deletes the instances of terminating definitions, then removes the finalizer. */
export class InstanceCleanup implements AsyncDisposable {
  readonly #options: CleanupOptions;
  /** By uid. */
  readonly #working = new Map<string, Promise<void>>();

  constructor(options: CleanupOptions) {
    this.#options = options;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#working.values());
  }

  begin({ metadata: { name = '', uid = '' } }: Definition): void {
    if (this.#working.has(uid)) return;
    this.#working.set(
      uid,
      this.#cleanUp(name, uid).finally(() => this.#working.delete(uid)),
    );
  }

  /** Returns when the definition is released or gone. */
  async #cleanUp(name: string, uid: string): Promise<void> {
    const { signal, known, onError } = this.#options;
    const backoff = new Backoff();
    while (!signal.aborted) {
      try {
        const definition = known.get(name);
        // What others have put into the store may have none.
        if (definition === undefined || (definition.metadata.uid ?? '') !== uid) return;
        if (await this.#step(definition)) return;
      } catch (error) {
        if (!signal.aborted) onError(error);
      }
      await backoff.pause(signal);
    }
  }

  /** True when nothing is left to do. */
  async #step(definition: Definition): Promise<boolean> {
    const { metadata } = definition;
    if (metadata.finalizers?.includes(cleanupFinalizer) !== true) return true;
    const begun = await this.#tell(definition, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    });
    if (begun === undefined) return false;
    const end = await this.#removeInstances(begun);
    if (end.status === 'True') {
      await this.#tell(begun, end);
      return false;
    }
    const finalizers = metadata.finalizers.filter((finalizer) => finalizer !== cleanupFinalizer);
    return (await this.#tell({ ...begun, metadata: { ...begun.metadata, finalizers } }, end)) !== undefined;
  }

  /** Writes the condition and returns the definition; undefined on a conflict. */
  async #tell(definition: Definition, condition: NewCondition): Promise<Definition | undefined> {
    const { clock, write, known } = this.#options;
    const changed = withCondition(definition, condition, formatSeconds(clock.now()));
    const isWritten = await write(changed);
    const { name = '', uid } = definition.metadata;
    const now = known.get(name);
    return isWritten && now?.metadata.uid === uid ? now : isWritten ? changed : undefined;
  }

  /** The Terminating condition that reports the outcome. */
  async #removeInstances(definition: Definition): Promise<NewCondition> {
    if (overlapping.has(definition.metadata.name ?? '')) {
      return ended('OverlappingBuiltInResource', 'instances overlap with built-in resources in storage');
    }
    if (!isTrue(definition, 'Established')) return ended('NeverEstablished', 'resource was never established');
    try {
      await this.#drain(instancesOf(definition));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return {
        type: 'Terminating',
        status: 'True',
        reason: 'InstanceDeletionFailed',
        message: `could not list instances: ${why}`,
      };
    }
    return ended('InstanceDeletionCompleted', 'removed all instances');
  }

  /** Deletes all instances and waits until the last one is gone. */
  async #drain(instances: Collection): Promise<void> {
    const { client, signal } = this.#options;
    const deleted = new Set<string>();
    for (;;) {
      const { items, resourceVersion } = await client.list(instances);
      if (items.length === 0) return;
      for (const { metadata } of items) {
        const { uid = '', name = '', namespace = '' } = metadata;
        if (deleted.has(uid)) continue;
        deleted.add(uid);
        await client.delete({ ...instances, name, namespace }).catch(unlessGone);
      }
      await this.#nextEnd(instances, resourceVersion);
      signal.throwIfAborted();
    }
  }

  /** Waits for the next deletion of an instance. */
  async #nextEnd(instances: Collection, resourceVersion: string): Promise<void> {
    const { client, signal } = this.#options;
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    for await (const { type } of client.watch(instances, { resourceVersion, signal: either })) {
      if (type === 'DELETED') {
        stop.abort();
        return;
      }
    }
  }
}

function ended(reason: string, message: string): NewCondition {
  return { type: 'Terminating', status: 'False', reason, message };
}

function instancesOf({ spec, status }: Definition): Collection {
  const { group = '', versions = [] } = spec;
  const stored = versions.find(({ storage }) => storage === true);
  return { group, version: stored?.name ?? '', resource: status?.acceptedNames?.plural ?? '', namespace: '' };
}

function unlessGone(error: unknown): void {
  if (!isReason(error, 'NotFound')) throw error;
}
