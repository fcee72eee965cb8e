import { prefixEnd } from '../../storage/contract.ts';
import type { WatchScope } from '../../watchcache/watcher-index.ts';
import { type Selection, selectedName } from './selection.ts';
import { objectKey, type StoreKind, keyPrefixOf } from '../stored/store-kind.ts';

/** The narrowest scope that contains every possible match: events outside it cost the watcher nothing. */
export function watchScope(kind: StoreKind, selection: Selection): WatchScope {
  const { namespace, fields } = selection;
  const name = selectedName(selection);
  if (name !== undefined && (namespace !== '' || !kind.resource.namespaced)) {
    return { kind: 'key', key: objectKey(kind, namespace, name) };
  }
  if (namespace !== '') return { kind: 'prefix', prefix: keyPrefixOf(kind, namespace) };
  // A kubelet's pods: `spec.nodeName=node-1`.
  const requested = fields.find(({ field, operator }) => operator === '=' && !field.startsWith('metadata.'));
  return requested === undefined ? { kind: 'all' } : { kind: 'field', field: requested.field, value: requested.value };
}

/** Start and end of the keys that a watch may tell of. */
export function keysOf(scope: WatchScope, { keyPrefix }: Pick<StoreKind, 'keyPrefix'>): [string, string] {
  if (scope.kind === 'key') return [scope.key, `${scope.key}\0`];
  const prefix = scope.kind === 'prefix' ? scope.prefix : keyPrefix;
  return [prefix, prefixEnd(prefix)];
}
