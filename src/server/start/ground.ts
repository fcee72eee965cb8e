import type { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { ResourceScopes } from '../../scopes/resource-scopes.ts';
import type { ServerConfig } from '../config.ts';
import type { TracedPartContext } from '../server-context.ts';
import type { Store } from '../store/store.ts';

/** What is there before requests can be authenticated. */
export interface ThreadGround extends TracedPartContext {
  readonly config: ServerConfig;
  readonly scopes: ResourceScopes;
  readonly store: Store;
  readonly frontProxy: FrontProxy | undefined;
}
