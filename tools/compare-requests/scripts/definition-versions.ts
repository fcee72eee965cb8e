import { places } from '../objects.ts';
import { define, definitionsPath, schema } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, get, inNamespace, patch, post, put, remove, tableType } from '../steps.ts';

const space = 'versions';
const group = 'versions.example.com';
const text = { type: 'string' };
const specOf = (properties: object): object =>
  schema({
    spec: { type: 'object', properties },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  });
const one = {
  name: 'v1',
  served: true,
  storage: true,
  schema: specOf({
    common: text,
    only1: text,
    d1: { type: 'string', default: 'one' },
    free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  }),
};
const two = {
  name: 'v2',
  served: true,
  storage: false,
  schema: specOf({
    common: text,
    only2: text,
    d2: { type: 'string', default: 'two' },
    free: { type: 'object', properties: { x: text } },
  }),
};
const beta = {
  name: 'v1beta1',
  served: true,
  storage: false,
  deprecated: true,
  deprecationWarning: 'use v1',
  schema: specOf({ common: text, only1: text }),
};
const custom = { group, plural: 'turns', kind: 'Turn', versions: [beta, one, two] } as const;
const definitionPath = `${definitionsPath}/turns.${group}`;

const at = (version: string): string => places.custom(group, custom.plural, space, version);
const turn = (version: string, name: string, spec: object, metadata: object = {}): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Turn',
  metadata: { name, ...metadata },
  spec,
});
const versions = ['v1beta1', 'v1', 'v2'] as const;

const everywhere = (title: string, name: string): readonly Step[] =>
  versions.map((version) => get(`${title}: ${name} in ${version}`, `${at(version)}/${name}`));

/** Writes of objects through each version, and what the others show. */
function writes(title: string): readonly Step[] {
  return versions.flatMap((version, index) => {
    const name = `w${index}-${title.length}`;
    const path = `${at(version)}/${name}`;
    const called = (what: string): string => `${title}, ${version}: ${what}`;
    return [
      post(
        called('create'),
        at(version),
        turn(version, name, { common: 'c', only1: '1', only2: '2', free: { x: 'x', z: 'z' } }),
      ),
      ...everywhere(called('shown'), name),
      patch(called('a label'), 'merge', path, { metadata: { labels: { a: 'b' } } }),
      patch(called('nothing'), 'merge', path, {}),
      apply(called('apply'), path, turn(version, name, { common: 'd' }), 'applier&force=true'),
      apply(called('apply again'), path, turn(version, name, { common: 'd' }), 'applier'),
      apply(
        called('apply through another'),
        `${at(version === 'v2' ? 'v1' : 'v2')}/${name}`,
        turn(version === 'v2' ? 'v1' : 'v2', name, { common: 'e' }),
        'applier',
      ),
      put(called('put'), path, turn(version, name, { common: 'f' }, { resourceVersion: '' })),
      put(called('put of another version'), path, turn('v3', name, { common: 'f' })),
      get(called('list'), `${at(version)}?labelSelector=a%3Db`),
    ];
  });
}

const stored = (name: string): object => ({
  spec: { versions: custom.versions.map((version) => ({ ...version, storage: version.name === name })) },
});
const served = (name: string, isServed: boolean): object => ({
  spec: {
    versions: custom.versions.map((version) => (version.name === name ? { ...version, served: isServed } : version)),
  },
});

/** Reports: objects and owners between versions that are converted by changing their apiVersion only. */
export const definitionVersions = script(
  'definition-versions',
  inNamespace(space),
  define(custom),
  writes('first'),
  patch('v2 is stored', 'merge', definitionPath, stored('v2'), { settles: true }),
  ['w0-5', 'w1-5', 'w2-5'].flatMap((name) => everywhere('after that', name)),
  writes('second'),
  patch('v1 is stored again', 'merge', definitionPath, stored('v1'), { settles: true }),
  ['w1-5', 'w1-6'].flatMap((name) => everywhere('after both', name)),
  patch('v1beta1 is not served', 'merge', definitionPath, served('v1beta1', false), { settles: true }),
  get('what is not served', `${at('v1beta1')}/w0-5`),
  get('what was written through it', `${at('v1')}/w0-5`),
  patch('a label on it', 'merge', `${at('v1')}/w0-5`, { metadata: { labels: { z: 'z' } } }),
  apply('an apply to it', `${at('v1')}/w0-5`, turn('v1', 'w0-5', { common: 'g' }), 'applier&force=true'),
  get('a table', at('v2'), { accept: tableType }),
  patch(
    'v1beta1 is gone, but stored versions',
    'merge',
    definitionPath,
    { spec: { versions: [one, two] } },
    { settles: true },
  ),
  get('what was applied through it', `${at('v1')}/w0-6`),
  patch('a version without storage', 'merge', definitionPath, {
    spec: { versions: [{ ...one, storage: false }, two] },
  }),
  patch('two versions with storage', 'merge', definitionPath, { spec: { versions: [one, { ...two, storage: true }] } }),
  patch('the same version twice', 'merge', definitionPath, { spec: { versions: [one, one] } }),
  patch('no versions', 'merge', definitionPath, { spec: { versions: [] } }),
  get('discovery', `/apis/${group}`),
  remove('delete one', `${at('v2')}/w2-6`),
  get('the list', at('v1')),
);
