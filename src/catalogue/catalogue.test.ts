import { describe, expect, test } from 'vitest';
import { servedResources } from '../schema/kubernetes/api-enablement.ts';
import { builtInGroups, builtInResources } from '../schema/kubernetes/resources.ts';
import type { Resource } from '../schema/resource.ts';
import type { Catalogue } from './catalogue.ts';
import { definitionPriority, type KindEntry, type VersionPriority } from './kind-entry.ts';
import { LiveCatalogue } from './live-catalogue.ts';
import { catalogueOf, plainBehaviour } from './testdata/catalogue-of.ts';

const base = catalogueOf(servedResources(new Map()));

interface EntryOptions {
  /** `group/version` of each; prefixed with `-` if not served. */
  readonly in: readonly string[];
  readonly plural?: string;
  readonly priority?: VersionPriority;
}

function entry({ in: places, plural = 'buoys', priority = definitionPriority }: EntryOptions): KindEntry {
  const [pod] = builtInResources().filter(({ kind }) => kind === 'Pod');
  if (pod === undefined) throw new Error('no pods');
  return {
    behaviour: plainBehaviour,
    versions: places.map((place) => {
      const [group = '', version = ''] = place.replace(/^-/, '').split('/');
      const { schema } = pod;
      const resource: Resource = { ...pod, schema, group, version, plural, kind: plural };
      return { resource, served: !place.startsWith('-'), priority };
    }),
  };
}

function groupNames({ groups }: Catalogue): string[] {
  return groups.map(({ name }) => name);
}

test('built-in groups are listed in the order of the release', () => {
  expect(groupNames(base)).toEqual(
    builtInGroups()
      .map(({ name }) => name)
      .filter((name) => base.group(name) !== undefined),
  );
});

describe('a change', () => {
  test('appears in a new snapshot', () => {
    const buoys = entry({ in: ['example.com/v1'] });
    const after = base.with({ add: [buoys] });
    expect(base.served('example.com', 'v1', 'buoys')).toBeUndefined();
    expect(after.served('example.com', 'v1', 'buoys')?.entry).toBe(buoys);
    expect(after.with({ remove: [buoys] }).group('example.com')).toBeUndefined();
  });

  test('shares the parts that it does not affect', () => {
    const before = base.with({ add: [entry({ in: ['example.com/v1', 'other.com/v1'] })] });
    const after = before.with({ add: [entry({ in: ['example.com/v2'], plural: 'anchors' })] });
    expect(after.group('other.com')).toBe(before.group('other.com'));
    expect(after.group('apps')).toBe(before.group('apps'));
    expect(after.group('example.com')).not.toBe(before.group('example.com'));
    expect(after.group('example.com')?.version('v1')).toBe(before.group('example.com')?.version('v1'));
  });

  test('may replace an entry atomically', () => {
    const live = new LiveCatalogue(base);
    const [first, second] = [entry({ in: ['example.com/v1'] }), entry({ in: ['example.com/v1'] })];
    const received: (KindEntry | undefined)[] = [];
    using _ = live.subscribe(() => received.push(live.current.served('example.com', 'v1', 'buoys')?.entry));
    live.change({ add: [first] });
    live.change({ remove: [first], add: [second] });
    live.change({ remove: [second] });
    expect(received).toEqual([first, second, undefined]);
  });
});

describe('an entry', () => {
  test('does not hide an earlier one, and appears when that is gone', () => {
    const [first, second] = [entry({ in: ['example.com/v1'] }), entry({ in: ['example.com/v1'] })];
    const both = base.with({ add: [first] }).with({ add: [second] });
    expect(both.served('example.com', 'v1', 'buoys')?.entry).toBe(first);
    expect(both.group('example.com')?.versions[0]?.resources).toHaveLength(1);
    expect(both.with({ remove: [first] }).served('example.com', 'v1', 'buoys')?.entry).toBe(second);
  });

  test('may have versions that are known and not served', () => {
    const known = base.with({ add: [entry({ in: ['example.com/v1', '-example.com/v2', '-hidden.com/v1'] })] });
    expect(known.served('example.com', 'v2', 'buoys')).toBeUndefined();
    expect(known.schemaOf({ group: 'example.com', version: 'v2', kind: 'buoys' })).toBeDefined();
    expect(known.group('example.com')?.versions.map(({ version }) => version)).toEqual(['v1']);
    expect(known.group('hidden.com')).toBeUndefined();
    expect(groupNames(known)).not.toContain('hidden.com');
  });

  test('is ordered by priority, then by name, its versions by maturity', () => {
    const after = base.with({
      add: [
        entry({ in: ['b.com/v1beta1', 'b.com/v2', 'b.com/v1'] }),
        entry({ in: ['a.com/v1'] }),
        entry({ in: ['urgent.com/v1'], priority: { group: 17_850, version: 1 } }),
      ],
    });
    const names = groupNames(after);
    expect(names.slice(-2)).toEqual(['a.com', 'b.com']);
    expect(names[names.indexOf('urgent.com') + 1]).toBe('apps');
    expect(after.group('b.com')?.versions.map(({ version }) => version)).toEqual(['v2', 'v1', 'v1beta1']);
  });
});

test('every stored kind is listed once', () => {
  const places = base.storedResources().map(({ storage }) => storage.prefix);
  expect(new Set(places).size).toBe(places.length);
  expect(places).toContain('pods');
});
