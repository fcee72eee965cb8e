import type { ClientResource, ObjectReference } from '../../api/client/client.ts';
import type { GroupVersionResource } from '../../api/meta/group-version.ts';
import type { MetadataClient, MetadataFollower } from '../../api/client/metadata-client.ts';
import type { ObjectMeta } from '../../api/meta/object.ts';
import { type Asking, authorize } from './authorized-client.ts';

/** Reads with the user's permissions. */
export class AuthorizedMetadata implements MetadataClient {
  readonly #client: MetadataClient;
  readonly #asking: Asking;

  constructor(client: MetadataClient, asking: Asking) {
    this.#client = client;
    this.#asking = asking;
  }

  resources(): readonly ClientResource[] {
    return this.#client.resources();
  }

  resourceOf(apiVersion: string, kind: string): ClientResource | undefined {
    return this.#client.resourceOf(apiVersion, kind);
  }

  onResources(changed: () => void): Disposable {
    return this.#client.onResources(changed);
  }

  async get(reference: ObjectReference): Promise<ObjectMeta | undefined> {
    await authorize(this.#asking, { ...reference, verb: 'get' });
    return this.#client.get(reference);
  }

  async follow(
    resource: GroupVersionResource,
    follower: MetadataFollower,
    signal: AbortSignal,
  ): Promise<AsyncDisposable> {
    await authorize(this.#asking, { ...resource, verb: 'list' });
    await authorize(this.#asking, { ...resource, verb: 'watch' });
    return this.#client.follow(resource, follower, signal);
  }
}
