import { instance, places } from '../objects.ts';
import { define, definitionsPath, schema } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'stored';
const group = 'stored.example.com';
const fields = schema({ spec: { type: 'object', properties: { a: { type: 'string' } } } });
const version = (name: string, more: object = {}): object => ({
  name,
  served: true,
  storage: false,
  schema: fields,
  ...more,
});
const custom = { group, plural: 'shelves', kind: 'Shelf', versions: [version('v1', { storage: true })] } as const;
const path = `${definitionsPath}/shelves.${group}`;

const versions = (...list: readonly object[]): object => ({ spec: { versions: list } });
const look = (title: string): readonly Step[] => [
  get(`${title}: the definition`, path),
  get(`${title}: its status`, `${path}/status`),
  get(`${title}: discovery`, `/apis/${group}`),
  ...['v1', 'v1beta1', 'v2'].map((name) =>
    get(`${title}: ${name}`, `${places.custom(group, 'shelves', space, name)}/a`),
  ),
];
const stored = (...storedVersions: readonly unknown[]): object => ({ status: { storedVersions } });

/** Reports: status.storedVersions when versions come and go, and storage migration. */
export const storedVersions = script(
  'stored-versions',
  inNamespace(space),
  define(custom),
  post('a shelf', places.custom(group, 'shelves', space), instance(custom, 'a', { spec: { a: '1' } })),
  look('first'),
  patch('another version', 'merge', path, versions(version('v1', { storage: true }), version('v2')), { settles: true }),
  look('two versions'),
  patch('v2 is stored', 'merge', path, versions(version('v1'), version('v2', { storage: true })), { settles: true }),
  look('v2 is stored'),
  patch('without v1', 'merge', path, versions(version('v2', { storage: true }))),
  patch('without v1 in the status', 'merge', `${path}/status`, stored('v2')),
  patch('no stored versions', 'merge', `${path}/status`, stored()),
  patch('an unknown stored version', 'merge', `${path}/status`, stored('v2', 'v9')),
  patch('without the storage version', 'merge', `${path}/status`, stored('v1')),
  patch('stored versions twice', 'merge', `${path}/status`, stored('v2', 'v2')),
  patch('null stored versions', 'merge', `${path}/status`, { status: { storedVersions: null } }),
  patch('a text', 'merge', `${path}/status`, { status: { storedVersions: 'v2' } }),
  patch('through the main endpoint', 'merge', path, stored('v1')),
  patch('both in the status', 'merge', `${path}/status`, stored('v1', 'v2')),
  look('after migration'),
  patch('migrate the shelf', 'merge', `${places.custom(group, 'shelves', space, 'v2')}/a`, {}),
  patch('v1 is no longer stored', 'merge', `${path}/status`, stored('v2')),
  patch('v1 goes', 'merge', path, versions(version('v2', { storage: true })), { settles: true }),
  look('without v1'),
  patch('v1 returns', 'merge', path, versions(version('v1'), version('v2', { storage: true })), { settles: true }),
  look('with v1'),
  patch(
    'v1beta1 as well',
    'merge',
    path,
    versions(
      version('v1beta1', { deprecated: true }),
      version('v1', { deprecated: true, deprecationWarning: 'gone soon' }),
      version('v2', { storage: true }),
    ),
    { settles: true },
  ),
  look('three'),
  patch(
    'v2 is not served',
    'merge',
    path,
    versions(version('v1', { storage: false }), version('v2', { storage: true, served: false })),
    { settles: true },
  ),
  look('v2 is not served'),
  patch(
    'nothing is served',
    'merge',
    path,
    versions(version('v1', { served: false }), version('v2', { storage: true, served: false })),
    { settles: true },
  ),
  get('nothing is served: discovery', `/apis/${group}`, { until: 'not found' }),
  get('nothing is served: v1', `${places.custom(group, 'shelves', space)}/a`),
  patch('conditions', 'merge', `${path}/status`, { status: { conditions: [{ type: 'Mine', status: 'True' }] } }),
  patch('accepted names', 'merge', `${path}/status`, { status: { acceptedNames: { plural: 'x', kind: 'X' } } }),
  put('the status of a whole', `${path}/status`, {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `shelves.${group}` },
    spec: {},
    status: { storedVersions: ['v2'] },
  }),
  get('at the end', path, { until: '"reason":"InitialNamesAccepted"' }),
  get('settled', path),
  remove('delete it', path),
);
