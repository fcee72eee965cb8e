import type { AuthorizationAttributes, Authorizer } from '../../api/contracts/authorization.ts';
import type {
  Client,
  ClientApplyOptions,
  ClientDeleteOptions,
  ClientPatchOptions,
  ClientResource,
  ClientWatchEvent,
  ClientWatchOptions,
  Collection,
  Lister,
  ObjectList,
  ObjectReference,
  ReadingClient,
  RemoteResources,
  SharedClient,
  UnreadObject,
} from '../../api/client/client.ts';
import type { GroupVersionResource } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { internalError } from '../../api/errors/status-errors.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { forbiddenError } from '../../api/contracts/forbidden-request.ts';

export interface Asking {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
}

type Question = Pick<AuthorizationAttributes, 'verb'> &
  GroupVersionResource &
  Partial<Pick<AuthorizationAttributes, 'subresource' | 'namespace' | 'name'>>;

/** Refuses unauthorized operations, as a server refuses its clients' requests. */
export async function authorize({ user, authorizer }: Asking, question: Question): Promise<void> {
  const { group, version, resource, verb, subresource = '', name = '' } = question;
  // As in request info, a namespace is its own namespace.
  const namespace = group === '' && resource === 'namespaces' ? name : (question.namespace ?? '');
  const what = { group, version, resource, verb, subresource, namespace, name };
  const attributes = { ...what, user, isResourceRequest: true, path: '' };
  const { decision, reason, error } = await authorizer.authorize(attributes);
  if (decision === 'allow') return;
  throw error === undefined ? forbiddenError(attributes, reason) : internalError(error);
}

/** Lists and watches, with the user's permissions. */
export class AuthorizedReader<C extends ReadingClient = ReadingClient> implements ReadingClient {
  protected readonly client: C;
  protected readonly asking: Asking;

  constructor(client: C, asking: Asking) {
    this.client = client;
    this.asking = asking;
  }

  resources(): readonly ClientResource[] {
    return this.client.resources();
  }

  list(collection: Collection): Promise<ObjectList> {
    return authorizedLister(this.client, this.asking).list(collection);
  }

  watch(collection: Collection, options: ClientWatchOptions): AsyncIterable<ClientWatchEvent> {
    return authorizedLister(this.client, this.asking).watch(collection, options);
  }
}

function authorizedLister<Item>(lister: Lister<Item>, asking: Asking): Lister<Item> {
  return {
    async list(collection) {
      await authorize(asking, { ...collection, verb: 'list' });
      return lister.list(collection);
    },
    watch: (collection, options) =>
      openedFirst(async () => {
        await authorize(asking, { ...collection, verb: 'watch' });
        return lister.watch(collection, options);
      }),
  };
}

/** Opened by the first `next`, and passed on as it is: `yield*` would cost each item several promises. */
function openedFirst<Item>(open: () => Promise<AsyncIterable<Item>>): AsyncIterable<Item> {
  return {
    [Symbol.asyncIterator]() {
      let opened: AsyncIterator<Item> | undefined;
      return {
        async return() {
          await opened?.return?.();
          return { done: true, value: undefined };
        },
        next() {
          return opened?.next() ?? open().then((items) => (opened = items[Symbol.asyncIterator]()).next());
        },
      };
    },
  };
}

/** Reads for all controllers, with the user's permissions. */
export class AuthorizedSharedClient extends AuthorizedReader<SharedClient> implements SharedClient {
  get unread(): Lister<UnreadObject> {
    return authorizedLister(this.client.unread, this.asking);
  }

  mentioning(text: string): Lister<KubernetesObject> {
    return authorizedLister(this.client.mentioning(text), this.asking);
  }
}

/** Writes with the user's permissions. */
export class AuthorizedClient extends AuthorizedReader<Client> implements Client {
  remoteResources(): RemoteResources {
    return this.client.remoteResources();
  }

  async get(reference: ObjectReference): Promise<KubernetesObject> {
    await authorize(this.asking, { ...reference, verb: 'get' });
    return this.client.get(reference);
  }

  async create(resource: GroupVersionResource, object: KubernetesObject): Promise<KubernetesObject> {
    const { namespace = '' } = object.metadata;
    await authorize(this.asking, { ...resource, namespace, verb: 'create' });
    return this.client.create(resource, object);
  }

  async update(resource: GroupVersionResource, object: KubernetesObject, subresource = ''): Promise<KubernetesObject> {
    await this.#authorizeUpdate(resource, object, subresource);
    return this.client.update(resource, object, subresource);
  }

  async write(resource: GroupVersionResource, object: KubernetesObject, subresource = ''): Promise<string> {
    await this.#authorizeUpdate(resource, object, subresource);
    return this.client.write(resource, object, subresource);
  }

  async apply(
    reference: ObjectReference,
    configuration: JsonObject,
    options: ClientApplyOptions,
  ): Promise<KubernetesObject> {
    await authorize(this.asking, { ...reference, subresource: options.subresource, verb: 'patch' });
    return this.client.apply(reference, configuration, options);
  }

  async patch(reference: ObjectReference, patch: JsonObject, options: ClientPatchOptions): Promise<KubernetesObject> {
    await authorize(this.asking, { ...reference, verb: 'patch' });
    return this.client.patch(reference, patch, options);
  }

  async delete(reference: ObjectReference, options?: ClientDeleteOptions): Promise<void> {
    await authorize(this.asking, { ...reference, verb: 'delete' });
    return this.client.delete(reference, options);
  }

  async deleteCollection(collection: Collection, options?: ClientDeleteOptions): Promise<number> {
    await authorize(this.asking, { ...collection, verb: 'deletecollection' });
    return this.client.deleteCollection(collection, options);
  }

  #authorizeUpdate(resource: GroupVersionResource, { metadata }: KubernetesObject, subresource: string): Promise<void> {
    const { namespace = '', name = '' } = metadata;
    return authorize(this.asking, { ...resource, namespace, name, subresource, verb: 'update' });
  }
}
