import { get, inNamespace, post, put, remove, scenario, type Step } from '../scenario.ts';
import { merge } from './apply-step.ts';
import { define, definition, definitionsPath, schema, undefine } from './definition-steps.ts';

const group = 'names.example.com';
const space = 'diff-definitions';
const text = { type: 'string' };

function lake(names: object): object {
  return definition({ group, plural: 'lakes', kind: 'Lake', names });
}

function waitFor(plural: string, until: string): Step {
  return { ...get(`${definitionsPath}/${plural}.${group}`), name: `${plural}: ${until}`, until };
}

const spec = { type: 'object', properties: { a: text, b: { ...text, default: 'b' } } };
const ponds = `/apis/${group}/v1/namespaces/${space}/ponds`;
const earlier = `/apis/${group}/v1beta1/namespaces/${space}/ponds`;

function pondVersion(name: string, more: object = {}): object {
  return { name, served: true, storage: name === 'v1', schema: schema({ spec }), ...more };
}

function pond(name: string, more: object, version = 'v1'): object {
  return { apiVersion: `${group}/${version}`, kind: 'Pond', metadata: { name }, ...more };
}

/** Names taken by another definition, and what happens once they are free. */
export const definitionNames = scenario('definition-names', [
  ...define({ group, plural: 'seas', kind: 'Sea', names: { shortNames: ['s', 'sx'], singular: 'sea' } }),
  post('a kind that is taken', definitionsPath, definition({ group, plural: 'lakes', kind: 'Sea' })),
  waitFor('lakes', 'ListKindConflict'),
  get(`/apis/${group}/v1/lakes`),
  remove('delete what was never established', `${definitionsPath}/lakes.${group}`),
  waitFor('lakes', 'NotFound'),
  post('short names that are taken', definitionsPath, lake({ shortNames: ['s', 'l', 'sx'], singular: 'sea' })),
  waitFor('lakes', 'ShortNamesConflict'),
  merge('other short names', `${definitionsPath}/lakes.${group}`, { spec: { names: { shortNames: ['l'] } } }),
  waitFor('lakes', 'SingularConflict'),
  ...undefine(`seas.${group}`),
  waitFor('lakes', 'InitialNamesAccepted'),
  merge('another short name', `${definitionsPath}/lakes.${group}`, { spec: { names: { shortNames: ['lk'] } } }),
  { ...get(`/apis/${group}/v1`), name: 'the short name is told', until: '"lk"' },
  merge('the plural cannot change', `${definitionsPath}/lakes.${group}`, { spec: { names: { plural: 'other' } } }),
  ...undefine(`lakes.${group}`),
]);

/** Several versions, changes to them, and deletion with instances. */
export const definitionVersions = scenario('definition-versions', [
  inNamespace(space),
  ...define({
    group,
    plural: 'ponds',
    kind: 'Pond',
    versions: [
      pondVersion('v1'),
      pondVersion('v1beta1', { deprecated: true, schema: schema({ spec: { ...spec, required: ['a'] }, extra: text }) }),
      pondVersion('v1alpha1', { deprecated: true, deprecationWarning: 'old', served: true }),
      pondVersion('v2', { served: false }),
    ],
  }),
  { ...get(`/apis/${group}/v1beta1`), name: 'the versions are there', until: 'ponds' },
  get(`/apis/${group}`),
  post('create', ponds, pond('one', { spec: { a: 'x' } })),
  post('create in another version', earlier, pond('two', { spec: { a: 'x' }, extra: 'lost' }, 'v1beta1')),
  post('wrong in one version', earlier, pond('three', { spec: {} }, 'v1beta1')),
  post('the other version on this path', earlier, pond('three', { spec: {} })),
  post('a version that is not served', `/apis/${group}/v2/namespaces/${space}/ponds`, pond('three', {}, 'v2')),
  get(`${ponds}/two`),
  get(`${earlier}/one`),
  get(`/apis/${group}/v1alpha1/namespaces/${space}/ponds/one`),
  get(earlier),
  merge('merge in another version', `${earlier}/one`, { spec: { a: 'y' } }),
  merge('the status is a field like others', `${ponds}/one`, { status: { a: 1 } }),
  get(`${ponds}/one/status`),
  get(`${ponds}/one/scale`),
  put(
    'replace a definition without its version',
    `${definitionsPath}/ponds.${group}`,
    definition({ group, plural: 'ponds', kind: 'Pond' }),
  ),
  merge('a stored version cannot go', `${definitionsPath}/ponds.${group}`, {
    spec: { versions: [pondVersion('v2', { storage: true })] },
  }),
  merge('another default', `${definitionsPath}/ponds.${group}`, {
    spec: {
      versions: [
        pondVersion('v1', {
          schema: schema({ spec: { ...spec, properties: { ...spec.properties, c: { ...text, default: 'c' } } } }),
        }),
        pondVersion('v1beta1'),
        pondVersion('v1alpha1'),
      ],
    },
  }),
  { ...get(`${ponds}/one`), name: 'what is stored has the default', until: '"c":"c"' },
  get(ponds),
  get(earlier),
  get(`${ponds}?watch=1&timeoutSeconds=1&resourceVersion=0`),
  merge('an unchanged object stays as it is stored', `${ponds}/one`, { spec: { c: 'c' } }),
  merge('another stored version', `${definitionsPath}/ponds.${group}`, {
    spec: { versions: [pondVersion('v1', { storage: false }), pondVersion('v1beta1', { storage: true })] },
  }),
  { ...get(`/apis/${group}/v1alpha1/namespaces/${space}/ponds`), name: 'a version has gone', until: 'page not found' },
  get(`${ponds}/one`),
  merge('written in the new version', `${ponds}/one`, { metadata: { labels: { a: 'b' } } }),
  get(`${earlier}/one`),
  merge('held', `${ponds}/two`, { metadata: { finalizers: ['example.com/hold'] } }),
  remove('delete the definition', `${definitionsPath}/ponds.${group}`),
  waitFor('ponds', 'InstanceDeletionInProgress'),
  { ...get(`${ponds}/one`), name: 'one is gone', until: 'NotFound' },
  get(`/apis/${group}/v1`),
  post('create while it ends', ponds, pond('four', { spec: {} })),
  merge('change while it ends', `${ponds}/two`, { spec: { a: 'z' } }),
  merge('let go', `${ponds}/two`, { metadata: { finalizers: null } }),
  waitFor('ponds', 'NotFound'),
  { ...get(ponds), name: 'the path is gone', until: 'page not found' },
]);
