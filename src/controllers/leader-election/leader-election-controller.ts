import { isDeepStrictEqual } from 'node:util';
import { isReason } from '../../api/errors/status.ts';
import { formatMicroTime, timeOf } from '../../api/time/time.ts';
import type { Lease } from '../../schema/kubernetes/generated/types/coordination-v1.ts';
import { ControlLoop } from '../control-loop.ts';
import type { ControllerContext } from '../controller-context.ts';
import { type FollowedObjects, keyOf, partsOfKey } from '../followed-objects.ts';
import { electionMs, type ElectionStep, electionStep, type StoredCandidate } from './election-step.ts';
import { isExpired, type StoredLease } from '../stored-lease.ts';
import { leaseCandidates } from './lease-candidates.ts';

type LeaseSpec = NonNullable<Lease['spec']>;
type Election = Pick<Extract<ElectionStep, { kind: 'elect' }>, 'strategy' | 'holder'>;

const leases = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases', namespace: '' };

/** How long an elected candidate has until it must have taken the Lease. */
const leaseDurationSeconds = 5;

/** Elects holders of Leases among the LeaseCandidates that name them (KEP-4355). */
export class LeaderElectionController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #loop: ControlLoop;
  readonly #leases: FollowedObjects<StoredLease>;
  readonly #candidates: FollowedObjects<StoredCandidate>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#loop = new ControlLoop(context, (key) => this.#work(key), {
      queue: 'leader-election-controller',
      workers: 1,
    });
    this.#leases = this.#loop.follow<StoredLease>(leases, {
      keep: (lease) => lease, // decoded by its schema
      changed: ({ key }) => this.#loop.queue.add(key),
    });
    this.#candidates = this.#loop.follow<StoredCandidate>(leaseCandidates, {
      keep: (candidate) => candidate, // likewise
      group: leaseKeyOf,
      changed: ({ now, before }) => {
        const candidate = now ?? before;
        if (candidate !== undefined) this.#loop.queue.add(leaseKeyOf(candidate));
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  async #work(key: string): Promise<void> {
    const { namespace, name } = partsOfKey(key);
    const candidates = this.#candidates.in(key);
    if (candidates.length === 0) return;
    const nowMs = this.#context.clock.now();
    const step = electionStep(this.#leases.get(namespace, name), candidates, nowMs);
    switch (step.kind) {
      case 'wait':
        if (step.untilMs !== undefined) this.#loop.queue.addAfter(key, step.untilMs - nowMs + 1);
        return;
      case 'ask':
        await Promise.all(step.candidates.map((candidate) => this.#ask(candidate)));
        this.#loop.queue.add(key);
        return;
      case 'elect':
        if (await this.#elect(namespace, name, step)) this.#loop.queue.add(key);
        // Nothing had to change; looked at again in case no event follows.
        else this.#loop.queue.addAfter(key, electionMs);
    }
  }

  async #ask(candidate: StoredCandidate): Promise<void> {
    const spec = { ...candidate.spec, pingTime: this.#now() };
    this.#candidates.learn(await this.#context.client.update(leaseCandidates, { ...candidate, spec }));
  }

  /** Resolves to whether the Lease has changed. */
  async #elect(namespace: string, name: string, { strategy, holder }: Election): Promise<boolean> {
    const { client } = this.#context;
    const taken = {
      ...(holder === undefined ? {} : { holderIdentity: holder }),
      leaseDurationSeconds,
      renewTime: this.#now(),
    };
    const metadata = { namespace, name };
    const made = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { strategy, ...taken } };
    const existing = await this.#existing(namespace, name);
    if (existing === undefined) {
      this.#leases.learn(await client.create(leases, made));
      return true;
    }
    const spec = this.#elected(existing, { strategy, holder, taken });
    if (isDeepStrictEqual(spec, existing.spec ?? {})) return false;
    this.#leases.learn(await client.update(leases, { ...existing, spec }));
    return true;
  }

  /** A holder that is not the best one is asked to leave; a Lease that nobody holds is given to the best. */
  #elected(existing: StoredLease, { strategy, holder, taken }: Election & { readonly taken: LeaseSpec }): LeaseSpec {
    const spec = { ...existing.spec, strategy };
    const { holderIdentity = '' } = spec;
    if (holder === undefined || holderIdentity === holder) return spec;
    if (holderIdentity !== '' && !isExpired(existing, this.#context.clock.now())) {
      return { ...spec, preferredHolder: holder };
    }
    const { acquireTime: _acquired, preferredHolder: _preferred, ...free } = spec;
    return { ...free, ...taken };
  }

  async #existing(namespace: string, name: string): Promise<StoredLease | undefined> {
    try {
      return await this.#context.client.get({ ...leases, namespace, name }); // decoded by its schema
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  #now(): string {
    return formatMicroTime(timeOf(this.#context.clock.now()));
  }
}

function leaseKeyOf({ metadata: { namespace = '' }, spec }: StoredCandidate): string {
  return keyOf(namespace, spec?.leaseName ?? '');
}
