import type { ClientResource } from '../../api/client/client.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { MetadataFollower } from '../../api/client/metadata-client.ts';
import type { OwnerReference } from '../../api/meta/object.ts';
import type { ControllerContext } from '../controller-context.ts';
import { ControllerEvents } from '../controller-events.ts';
import type { OwnedNode } from './owned-node.ts';
import { resourceKey } from './resource-key.ts';

/** A reference to an owner that does not exist where it is looked up. */
export interface UnmatchedOwner {
  readonly node: OwnedNode;
  readonly resource: ClientResource;
  readonly reference: OwnerReference;
  /** The resource of the owner. */
  readonly kind: ClientResource;
}

/** Reports references to owners in other namespaces as events. One scan of a resource serves all pending reports. */
export class CrossNamespaceOwners implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #events: ControllerEvents;
  readonly #stop = new AbortController();
  #noted: UnmatchedOwner[] = [];
  #telling: Promise<void> | undefined;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#events = new ControllerEvents({ ...context, component: 'garbage-collector-controller' });
  }

  note(unmatched: UnmatchedOwner): void {
    this.#noted.push(unmatched);
    this.#telling ??= this.#tell().finally(() => (this.#telling = undefined));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#telling;
  }

  async #tell(): Promise<void> {
    while (this.#noted.length > 0) {
      const noted = this.#noted;
      this.#noted = [];
      try {
        const byKind = Map.groupBy(noted, ({ kind }) => resourceKey(kind));
        for (const unmatcheds of byKind.values()) await this.#lookFor(unmatcheds);
      } catch (error) {
        this.#context.onError(error);
      }
    }
  }

  async #lookFor(unmatcheds: readonly UnmatchedOwner[]): Promise<void> {
    const [first] = unmatcheds;
    if (first === undefined) return;
    const wanted = new Set(unmatcheds.map(({ reference }) => reference.uid));
    const there = new Set<string>();
    const follower: MetadataFollower = {
      begins: () => undefined,
      changes(all) {
        for (const { now } of all) {
          const uid = now?.uid() ?? '';
          if (wanted.has(uid)) there.add(uid);
        }
      },
      complete: () => undefined,
    };
    const following = await this.#context.metadata.follow(first.kind, follower, this.#stop.signal);
    await following[Symbol.asyncDispose]();
    for (const unmatched of unmatcheds) if (there.has(unmatched.reference.uid)) await this.#report(unmatched);
  }

  async #report({ node, resource, reference }: UnmatchedOwner): Promise<void> {
    const { apiVersion, kind, name, uid } = reference;
    const owner = `[${apiVersion}/${kind}, namespace: ${node.namespace}, name: ${name}, uid: ${uid}]`;
    const namespace = node.namespace === '' ? {} : { namespace: node.namespace };
    const dependent = {
      apiVersion: formatApiVersion(resource.group, resource.version),
      kind: resource.kind,
      metadata: { ...namespace, name: node.name, uid: node.uid },
    };
    await this.#events.tell(dependent, {
      type: 'Warning',
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef ${owner} does not exist in namespace ${goQuote(node.namespace)}`,
    });
  }
}
