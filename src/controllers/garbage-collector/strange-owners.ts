import type { ClientResource } from '../../api/client.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { KubernetesObject, OwnerReference } from '../../api/object.ts';
import { formatTime, timeOf } from '../../api/time.ts';
import type { ControllerContext } from '../controller-context.ts';
import type { OwnedNode } from './owned-node.ts';
import { resourceKey } from './resource-key.ts';

/** An object that names an owner outside its namespace. */
export interface Stranger {
  readonly node: OwnedNode;
  readonly resource: ClientResource;
  readonly reference: OwnerReference;
  /** The expected owner. */
  readonly kind: ClientResource;
}

const reporter = 'garbage-collector-controller';
const events = { group: '', version: 'v1', resource: 'events' };

/**
 * Records events about owners in other namespaces than their dependents: concurrent callers share one list per kind.
 */
export class StrangeOwners implements AsyncDisposable {
  readonly #context: ControllerContext;
  #noted: Stranger[] = [];
  #telling: Promise<void> | undefined;
  #number = 0;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  note(stranger: Stranger): void {
    this.#noted.push(stranger);
    this.#telling ??= this.#tell().finally(() => (this.#telling = undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#telling;
  }

  async #tell(): Promise<void> {
    while (this.#noted.length > 0) {
      const noted = this.#noted;
      this.#noted = [];
      try {
        const byKind = Map.groupBy(noted, ({ kind }) => resourceKey(kind));
        for (const strangers of byKind.values()) await this.#lookFor(strangers);
      } catch (error) {
        this.#context.onError(error);
      }
    }
  }

  async #lookFor(strangers: readonly Stranger[]): Promise<void> {
    const [first] = strangers;
    if (first === undefined) return;
    const wanted = new Set(strangers.map(({ reference }) => reference.uid));
    const there = new Set<string>();
    const following = await this.#context.metadata.follow(first.kind, {
      begins: () => undefined,
      changes(all) {
        for (const { now } of all) {
          const { uid = '' } = now?.read() ?? {};
          if (wanted.has(uid)) there.add(uid);
        }
      },
      complete: () => undefined,
    });
    await following[Symbol.asyncDispose]();
    for (const stranger of strangers) if (there.has(stranger.reference.uid)) await this.#report(stranger);
  }

  async #report({ node, resource, reference }: Stranger): Promise<void> {
    const { client, clock } = this.#context;
    const { apiVersion, kind, name, uid } = reference;
    const owner = `[${apiVersion}/${kind}, namespace: ${node.namespace}, name: ${name}, uid: ${uid}]`;
    const nowMs = clock.now();
    const now = formatTime(timeOf(nowMs));
    this.#number += 1;
    const place = node.namespace === '' ? 'default' : node.namespace;
    const event: KubernetesObject = {
      apiVersion: 'v1',
      kind: 'Event',
      // In nanoseconds, most of which the clock provides.
      metadata: {
        name: `${node.name}.${(BigInt(nowMs) * 1_000_000n + BigInt(this.#number)).toString(16)}`,
        namespace: place,
      },
      involvedObject: {
        kind: resource.kind,
        ...(node.namespace === '' ? {} : { namespace: node.namespace }),
        name: node.name,
        uid: node.uid,
        apiVersion: formatApiVersion(resource.group, resource.version),
      },
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${owner} does not exist in namespace ${goQuote(node.namespace)}`,
      source: { component: reporter },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
      type: 'Warning',
      reportingComponent: reporter,
      reportingInstance: '',
    };
    await client.create(events, event);
  }
}
