import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { ControllerContext, ControllerSettings } from '../../controllers/controller-context.ts';
import type { ControllerRow } from '../../controllers/controller-table.ts';
import type { Collection } from '../../api/client/client.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { LiveCatalogue } from '../../catalogue/live-catalogue.ts';
import { InProcessClient, type InProcessClientOptions } from '../../client/in-process-client.ts';
import { systemUser } from '../../system/system-operation.ts';
import { AuthorizedClient, AuthorizedSharedClient } from './authorized-client.ts';
import { AuthorizedMetadata } from './authorized-metadata.ts';
import { HeldLease } from './held-lease.ts';
import { LeaderElection, type LeaderElectionOptions } from './leader-election.ts';
import { MetadataReader } from './metadata-reader.ts';
import { SharedReader } from './shared-reader.ts';
import { SleepingController } from './sleeping-controller.ts';

export interface ControllerManagerOptions extends Omit<InProcessClientOptions, 'user' | 'manager'> {
  readonly catalogue: LiveCatalogue;
  readonly rows: readonly ControllerRow[];
  readonly settings: ControllerSettings;
  /** How servers that share a store elect the one that runs them; absent: this server runs them. */
  readonly election?: Pick<LeaderElectionOptions, 'lease' | 'times'> & Pick<InProcessClientOptions, 'admission'>;
  /** While somebody holds this Lease, only rows with `goesOnBesideOthers` run. */
  readonly foreignLease?: string;
  readonly onError: (error: unknown) => void;
}

/**
 * Runs the enabled controllers, each as its own service account:
 *
 * | holder of the foreign Lease | elected         | running                        |
 * |-----------------------------|-----------------|--------------------------------|
 * | none                        | this server     | all                            |
 * | any                         | this server     | rows with `goesOnBesideOthers` |
 * |                             | another server  | none                           |
 */
export class ControllerManager implements AsyncDisposable {
  readonly #options: ControllerManagerOptions;
  readonly #stop = new AbortController();
  readonly #foreign: HeldLease | undefined;
  readonly #election: LeaderElection | undefined;
  readonly #shared: ControllerContext['shared'];
  readonly #running = new Map<ControllerRow, AsyncDisposable>();
  #hasStarted = false;
  #settling = Promise.resolve();

  constructor(options: ControllerManagerOptions) {
    this.#options = options;
    const { election, foreignLease, scopes, clock, authorizer, onError } = options;
    const changed = (): void => void this.#settle();
    const user = userOf({ user: 'own' });
    const reader = new SharedReader(scopes);
    this.#shared = new AuthorizedSharedClient(reader, { user, authorizer });
    const { signal } = this.#stop;
    if (foreignLease !== undefined) {
      this.#foreign = new HeldLease({ client: reader, clock, name: foreignLease, changed, onError, signal });
    }
    if (election === undefined) return;
    const { admission, lease, times } = election;
    const client = new InProcessClient({ ...options, admission, user: systemUser });
    const identity = `${hostname()}_${randomUUID()}`;
    this.#election = new LeaderElection({ client, clock, lease, times, identity, changed, onError });
  }

  /** Resolves when all controllers that this server is to run have started. */
  async start(): Promise<void> {
    if (this.#options.rows.length === 0 || this.#stop.signal.aborted) return;
    await Promise.all([this.#foreign?.start(), this.#election?.start()]);
    this.#hasStarted = true;
    await this.#settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#settle();
    await this.#election?.[Symbol.asyncDispose]();
  }

  /** One change at a time. */
  #settle(): Promise<void> {
    this.#settling = this.#settling.then(() => this.#change()).catch(this.#options.onError);
    return this.#settling;
  }

  async #change(): Promise<void> {
    const wanted = new Set(this.#options.rows.filter((row) => this.#isWanted(row)));
    const unwanted = [...this.#running].filter(([row]) => !wanted.has(row));
    for (const [row] of unwanted) this.#running.delete(row);
    await Promise.all(unwanted.map(([, controller]) => controller[Symbol.asyncDispose]()));
    await Promise.all([...wanted].filter((row) => !this.#running.has(row)).map((row) => this.#startOne(row)));
  }

  #isWanted({ goesOnBesideOthers = false, gates = [] }: ControllerRow): boolean {
    if (!gates.every((gate) => this.#options.settings.featureGates.get(gate) === true)) return false;
    if (!this.#hasStarted || this.#stop.signal.aborted) return false;
    if (this.#election !== undefined && !this.#election.leads) return false;
    return goesOnBesideOthers || (this.#foreign?.holder ?? '') === '';
  }

  /** A controller that fails to start does not keep others from starting. */
  async #startOne(row: ControllerRow): Promise<void> {
    try {
      this.#running.set(row, row.concerns === undefined ? await this.#awake(row) : this.#asleep(row, row.concerns));
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async #awake(row: ControllerRow): Promise<AsyncDisposable> {
    return row.start(this.#contextOf(row));
  }

  #asleep(row: ControllerRow, concerns: readonly Collection[]): AsyncDisposable {
    const { scopes, onError } = this.#options;
    const places = concerns.flatMap(
      ({ group, version, resource }) => scopes.now.placeOf(group, version, resource) ?? [],
    );
    return new SleepingController({ places, hasWork: row.hasWork, start: () => this.#awake(row), onError });
  }

  #contextOf({ name, account = name }: ControllerRow): ControllerContext {
    const { authorizer, clock, onError, settings } = this.#options;
    const user = userOf(account);
    const asking = { user, authorizer };
    const client = new AuthorizedClient(new InProcessClient({ ...this.#options, user }), asking);
    const metadata = new AuthorizedMetadata(new MetadataReader({ ...this.#options, user }), asking);
    return { ...settings, client, metadata, shared: this.#shared, authorizer, clock, onError };
  }
}

function userOf(account: NonNullable<ControllerRow['account']>): UserInfo {
  if (typeof account !== 'string' && account.user === 'server') return systemUser;
  const isOwn = typeof account !== 'string';
  const name = isOwn ? 'system:kube-controller-manager' : `system:serviceaccount:kube-system:${account}`;
  const groups = isOwn ? [] : ['system:serviceaccounts', 'system:serviceaccounts:kube-system'];
  return { name, uid: '', groups: [...groups, 'system:authenticated'], extra: {} };
}
