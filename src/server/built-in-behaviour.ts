import { formatApiVersion } from '../api/group-version.ts';
import { namespaceStrategy } from '../resources/strategies/namespaces.ts';
import type { ServerConfig } from './config.ts';
import type { ResourceScopes, ResourceScopesOptions } from './resource-scopes.ts';

/** What built-in kinds do beyond their schemas. */
export function builtInBehaviour(
  _config: ServerConfig,
  _scopes: () => ResourceScopes,
): Pick<ResourceScopesOptions, 'strategies' | 'defaulters' | 'convert'> {
  return {
    strategies: new Map([['/Namespace', namespaceStrategy]]),
    defaulters: {},
    convert: (object, { group, version, kind }) => ({ ...object, apiVersion: formatApiVersion(group, version), kind }),
  };
}
