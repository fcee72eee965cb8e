import { Backoff } from '../api/scheduling/backoff.ts';
import type { Client } from '../api/client/client.ts';
import type { Clock } from '../api/time/clock.ts';
import { isReason } from '../api/errors/status.ts';
import { DerError } from '../codec/x509/der.ts';
import { pemCertificates } from '../codec/x509/pem-certificates.ts';
import { formatSeconds } from '../registry/write/metadata.ts';
import { decideNames } from './accepted-names.ts';
import { approvalCondition } from './approval.ts';
import { hasCondition, type NewCondition, withCondition, withoutCondition } from './condition-changes.ts';
import { cleanupFinalizer, conditionOf, type Definition, definitions, isTrue, type Names } from './definition.ts';
import { equalValues } from '../fieldmanagement/values.ts';
import type { JsonObject } from '../api/json/json.ts';
import { InstanceCleanup } from './instance-cleanup.ts';
import type { KnownDefinitions } from './known-definitions.ts';
import { structuralCondition } from './structural-condition.ts';

export interface StatusOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
  readonly known: Pick<KnownDefinitions, 'get' | 'inGroup' | 'usedNames'>;
  /** Called after each write, before the next one, with what is stored now but for its schemas. */
  readonly written: (definition: Definition) => void;
}

/** Their writes are flushed together. */
const groupsAtATime = 16;

/**
 * Maintains the status of definitions, in each group one definition at a time: a name accepted for one is taken for the
 * next.
 *
 * | what | when |
 * |---|---|
 * | `acceptedNames`, `NamesAccepted`, `Established` (False) | the names are not the accepted ones |
 * | `KubernetesAPIApprovalPolicyConformant` | the group is one of the Kubernetes community |
 * | `NonStructuralSchema` | the definition keeps unknown fields |
 * | `Established` (True) | the names are accepted, and the kind is served |
 * | `Terminating`, and removal of the finalizer | the definition is being deleted |
 */
export class DefinitionStatus implements AsyncDisposable {
  readonly #options: StatusOptions;
  /** Names by group. */
  readonly #waiting = new Map<string, Set<string>>();
  readonly #working = new Map<string, Promise<void>>();
  /** Names of definitions. */
  readonly #writing = new Set<string>();
  readonly #cleanup: InstanceCleanup;

  constructor(options: StatusOptions) {
    this.#options = options;
    this.#cleanup = new InstanceCleanup({ ...options, write: (definition) => this.#write(definition) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#working.values());
    await this.#cleanup[Symbol.asyncDispose]();
  }

  /** Whether a write of the definition is under way. */
  isWriting(name: string): boolean {
    return this.#writing.has(name);
  }

  enqueue(name: string): void {
    const group = this.#options.known.get(name)?.spec.group;
    if (group === undefined) return;
    const names = this.#waiting.get(group);
    if (names === undefined) this.#waiting.set(group, new Set([name]));
    else names.add(name);
    this.#begin();
  }

  /** Enqueues the definitions of a group that wait for names, of which one may have become free. */
  enqueueGroup(group: string, except: string): void {
    for (const [name, definition] of this.#options.known.inGroup(group)) {
      if (name !== except && !isTrue(definition, 'NamesAccepted')) this.enqueue(name);
    }
  }

  #begin(): void {
    for (const [group, names] of this.#waiting) {
      if (this.#working.size >= groupsAtATime || this.#options.signal.aborted) return;
      if (this.#working.has(group)) continue;
      const working = this.#work(names).finally(() => {
        this.#working.delete(group);
        // Something may have been added since.
        if (names.size === 0) this.#waiting.delete(group);
        this.#begin();
      });
      this.#working.set(group, working);
    }
  }

  async #work(waiting: Set<string>): Promise<void> {
    const { signal, onError } = this.#options;
    const backoff = new Backoff();
    for (let name = first(waiting); name !== undefined && !signal.aborted; name = first(waiting)) {
      waiting.delete(name);
      try {
        await this.#look(name);
        backoff.startOver();
      } catch (error) {
        onError(error);
        waiting.add(name);
        await backoff.pause(signal);
      }
    }
  }

  /** Writes the next change that is due; each write enqueues the definition again. */
  async #look(name: string): Promise<void> {
    const definition = this.#options.known.get(name);
    if (definition === undefined) return;
    const { finalizers = [], deletionTimestamp } = definition.metadata;
    if (deletionTimestamp !== undefined && finalizers.includes(cleanupFinalizer)) this.#cleanup.begin(definition);
    const named = this.#named(definition);
    if (named !== undefined) {
      if (await this.#write(named)) this.enqueueGroup(definition.spec.group ?? '', name);
      return;
    }
    const structural = await structuralCondition(definition);
    const condition = nextCondition(definition, structural);
    if (condition !== undefined) await this.#write(withCondition(definition, condition, this.#now()));
    else if (structural === undefined && conditionOf(definition, 'NonStructuralSchema') !== undefined) {
      await this.#write(withoutCondition(definition, 'NonStructuralSchema'));
    }
  }

  /** The definition with its names decided; undefined when its status already says so. */
  #named(definition: Definition): Definition | undefined {
    const { known } = this.#options;
    const accepted = definition.status?.acceptedNames ?? {};
    if (sameNames(definition.spec.names ?? {}, accepted)) return undefined;
    const { acceptedNames, conditions } = decideNames(definition, known.usedNames(definition.spec.group ?? ''));
    const [namesAccepted] = conditions;
    if (namesAccepted === undefined || (sameNames(accepted, acceptedNames) && hasCondition(definition, namesAccepted)))
      return undefined;
    const named: Definition = { ...definition, status: { ...definition.status, acceptedNames } };
    return conditions.reduce((each, condition) => withCondition(each, condition, this.#now()), named);
  }

  /** False on a conflict; the watch brings the other writer's version. */
  async #write(definition: Definition): Promise<boolean> {
    const { client, written } = this.#options;
    const { name = '' } = definition.metadata;
    this.#writing.add(name);
    try {
      const resourceVersion = await client.write(definitions, definition, 'status');
      written({ ...definition, metadata: { ...definition.metadata, resourceVersion } });
      return true;
    } catch (error) {
      if (isReason(error, 'Conflict') || isReason(error, 'NotFound')) return false;
      throw error;
    } finally {
      this.#writing.delete(name);
    }
  }

  #now(): string {
    return formatSeconds(this.#options.clock.now());
  }
}

function nextCondition(definition: Definition, structural: NewCondition | undefined): NewCondition | undefined {
  const wanted = [approvalCondition(definition), structural, establishedCondition(definition)];
  return wanted.find((condition) => condition !== undefined && !hasCondition(definition, condition));
}

function establishedCondition(definition: Definition): NewCondition | undefined {
  if (!isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')) return undefined;
  if (!isAuthority(definition.spec.conversion?.webhook?.clientConfig?.caBundle ?? '')) {
    const invalid = 'The conversion webhook CABundle is invalid';
    return { type: 'Established', status: 'False', reason: 'InvalidCABundle', message: invalid };
  }
  const message = 'the initial names have been accepted';
  return { type: 'Established', status: 'True', reason: 'InitialNamesAccepted', message };
}

/** Whether a caBundle has certificates and nothing invalid. An empty one means the system roots. */
function isAuthority(bundle: string): boolean {
  if (bundle === '') return true;
  try {
    return pemCertificates(Buffer.from(bundle, 'base64').toString('latin1')).length > 0;
  } catch (error) {
    if (error instanceof DerError) return false;
    throw error;
  }
}

function sameNames(a: Names, b: Names): boolean {
  return equalValues(a as JsonObject, b as JsonObject); // JSON-shaped
}

function first<T>(items: Iterable<T>): T | undefined {
  for (const item of items) return item;
  return undefined;
}
