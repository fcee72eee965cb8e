import type { SeatedRequest } from '../../flowcontrol/seats.ts';
import type { ListQuery, StoredStatistics } from '../../flowcontrol/estimates/list-seats.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import { int64Problem } from '../../api/go/go-integer.ts';
import { queryBoolean } from './query.ts';
import type { RequestContext } from './request-context.ts';

/** A request as flow control sees it; what only some requests need is read when asked for. */
export class ContextRequest implements SeatedRequest {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResourceRequest: boolean;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  readonly arrivedMs: number;
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    const { info } = context;
    this.user = context.user;
    this.verb = info.verb;
    this.isResourceRequest = info.isResourceRequest;
    this.group = info.group;
    this.version = info.version;
    this.namespace = info.namespace;
    this.resource = info.resource;
    this.subresource = info.subresource;
    this.name = info.name === '' ? info.selectedName : info.name;
    this.arrivedMs = context.beganMs;
    this.#context = context;
  }

  get path(): string {
    return this.#context.path;
  }

  listQuery(): ListQuery {
    const { query } = this.#context;
    const resourceVersion = query.get('resourceVersion') ?? '';
    const sends = query.get('sendInitialEvents');
    return {
      limit: Number(query.get('limit') ?? 0),
      resourceVersion,
      resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
      continues: (query.get('continue') ?? '') !== '',
      hasSelector: (query.get('fieldSelector') ?? '') !== '' || (query.get('labelSelector') ?? '') !== '',
      sendsInitialEvents: sends !== null && queryBoolean(sends),
      isInvalid: ['limit', 'timeoutSeconds'].some((name) => isNoInteger(query.get(name))),
    };
  }

  /** Statistics of the watch cache; what has never been read is not known. */
  statistics(): StoredStatistics | undefined {
    const { kinds } = this.#context;
    const cache = kinds.scopeOf(this.group, this.version, this.resource)?.store?.openedCache?.();
    if (cache?.storedBytes === undefined) return undefined;
    const objects = cache.snapshot().entries.size;
    return { objects, objectBytes: objects === 0 ? 0 : Math.floor(cache.storedBytes / objects) };
  }
}

function isNoInteger(text: string | null): boolean {
  return text !== null && int64Problem(text) !== undefined;
}
