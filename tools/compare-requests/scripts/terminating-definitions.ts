import { places } from '../objects.ts';
import { define, definition, definitionsPath } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'ending';
const group = 'ending.example.com';
const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

/** Metadata of the instance that keeps its definition from going. */
const held: {
  readonly [name: string]: { readonly scope: 'Namespaced' | 'Cluster'; readonly finalizers: readonly string[] };
} = {
  namespaced: { scope: 'Namespaced', finalizers: ['example.com/f'] },
  cluster: { scope: 'Cluster', finalizers: ['example.com/f'] },
  'two finalizers': { scope: 'Namespaced', finalizers: ['example.com/f', 'example.com/g'] },
};

function storyOf(
  { scope, finalizers }: { readonly scope: 'Namespaced' | 'Cluster'; readonly finalizers: readonly string[] },
  name: string,
): readonly Step[] {
  const plural = `${name.replaceAll(' ', '')}s`;
  const kind = `${plural.charAt(0).toUpperCase()}${plural.slice(1, -1)}`;
  const custom = {
    group,
    plural,
    kind,
    scope,
    properties: { spec: free, status: free },
    version: { subresources: { status: {} } },
  };
  const path = `${definitionsPath}/${plural}.${group}`;
  const objects = scope === 'Cluster' ? `/apis/${group}/v1/${plural}` : places.custom(group, plural, space);
  const of = (object: string, metadata: object = {}): object => ({
    apiVersion: `${group}/v1`,
    kind,
    metadata: { name: object, ...metadata },
    spec: {},
  });
  const called = (what: string): string => `${name}: ${what}`;
  return [
    ...define(custom),
    post(called('held'), objects, of('held', { finalizers })),
    post(called('free'), objects, of('free')),
    remove(called('delete the definition as a dry run'), `${path}?dryRun=All`),
    get(called('nothing has changed'), path),
    remove(called('delete the definition'), path),
    get(called('it is terminating'), path, { until: 'InstanceDeletionInProgress', settles: true }),
    get(called('the held one is being deleted'), `${objects}/held`, { until: 'deletionTimestamp' }),
    get(called('the free one is gone'), `${objects}/free`, { until: 'NotFound' }),
    post(called('create'), objects, of('late')),
    apply(called('apply a new one'), `${objects}/late`, of('late')),
    put(called('put a new one'), `${objects}/late`, of('late')),
    patch(called('a label on the held one'), 'merge', `${objects}/held`, { metadata: { labels: { a: 'b' } } }),
    patch(called('its status'), 'merge', `${objects}/held/status`, { status: { a: 1 } }),
    apply(called('apply to the held one'), `${objects}/held`, of('held'), 'x&force=true'),
    patch(called('another finalizer'), 'merge', `${objects}/held`, {
      metadata: { finalizers: [...finalizers, 'example.com/z'] },
    }),
    get(called('list'), objects),
    get(called('discovery'), `/apis/${group}/v1`),
    post(called('the same definition'), definitionsPath, definition(custom)),
    patch(called('a change of the definition'), 'merge', path, { metadata: { labels: { a: 'b' } } }),
    patch(
      called('names of the definition'),
      'merge',
      path,
      { spec: { names: { shortNames: ['zz'] } } },
      { settles: true },
    ),
    remove(called('delete it again'), path),
    remove(called('delete the held one'), `${objects}/held`),
    ...finalizers.map((_, at) =>
      patch(called(`without finalizer ${at}`), 'json', `${objects}/held`, [
        { op: 'remove', path: '/metadata/finalizers/0' },
      ]),
    ),
    get(called('the definition is gone'), path, { until: 'NotFound', settles: true }),
    get(called('its objects are gone'), objects, { until: 'page not found' }),
    ...define(custom),
    get(called('none of them is back'), objects, { until: '"items":[]' }),
    remove(called('delete the new definition'), path),
  ];
}

/** Reports: definitions that do not go, and what may still be written meanwhile. */
export const terminatingDefinitions = script('terminating-definitions', inNamespace(space), forEach(held, storyOf));
