import { describe, expect, it } from 'vitest';
import { parseFieldSelector } from '../../api/selectors/field-selector.ts';
import type { StoreKind } from '../stored/store-kind.ts';
import { watchScope } from './watch-scope.ts';

/** What scopes depend on. */
function kind(namespaced: boolean): StoreKind {
  return { keyPrefix: '/registry/things/', resource: { namespaced } } as StoreKind;
}

function scopeOf(namespace: string, fields: string, namespaced = true): unknown {
  return watchScope(kind(namespaced), { namespace, labels: [], fields: parseFieldSelector(fields) });
}

describe('the scope of a watch', () => {
  it('is one object if its name and namespace are known', () => {
    const key = '/registry/things/a/x';
    expect(scopeOf('a', 'metadata.name=x')).toEqual({ kind: 'key', key });
    expect(scopeOf('', 'metadata.name=x', false)).toEqual({ kind: 'key', key: '/registry/things/x' });
    expect(scopeOf('', 'metadata.name=x')).toEqual({ kind: 'all' });
  });

  it('is a namespace, or the objects with one value of a field', () => {
    expect(scopeOf('a', 'spec.nodeName=n')).toEqual({ kind: 'prefix', prefix: '/registry/things/a/' });
    expect(scopeOf('', 'status.phase!=Failed,spec.nodeName=n')).toEqual({
      kind: 'field',
      field: 'spec.nodeName',
      value: 'n',
    });
    expect(scopeOf('', 'status.phase!=Failed')).toEqual({ kind: 'all' });
    expect(scopeOf('', '')).toEqual({ kind: 'all' });
  });
});
