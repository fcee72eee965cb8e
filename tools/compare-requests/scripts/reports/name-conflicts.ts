import { definition, definitionsPath, type DefinitionOptions } from '../../definitions.ts';
import { instance, places } from '../../objects.ts';
import { script, type Step } from '../../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../../steps.ts';

const space = 'conflicting-names';
const group = 'conflicting-names.example.com';
const rivals = 'rivals.example.com';
const free = { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
const path = (plural: string, of = group): string => `${definitionsPath}/${plural}.${of}`;
const options = (plural: string, kind: string, names: object = {}, more: object = {}): DefinitionOptions => ({
  group,
  plural,
  kind,
  names,
  properties: free,
  ...more,
});

/** Creates a definition, and waits until its names are checked. */
function create(name: string, given: DefinitionOptions): readonly Step[] {
  return [
    post(`${name}: create`, definitionsPath, definition(given)),
    get(`${name}: judged`, path(given.plural, given.group), { until: 'Accepted","message"', settles: true }),
  ];
}

const first = options('firsts', 'First', {
  singular: 'first',
  shortNames: ['f', 'fst'],
  categories: ['all', 'own'],
  listKind: 'FirstList',
});

const rival = { ...options('rivals', 'Rival', { singular: 'rival', shortNames: ['r'] }), group: rivals };

/** What is taken from `first`, one name each. */
const conflicts: { readonly [name: string]: DefinitionOptions } = {
  'the kind': options('seconds', 'First', { singular: 'second' }),
  'the list kind': options('thirds', 'Third', { listKind: 'FirstList' }),
  'a short name': options('fourths', 'Fourth', { shortNames: ['z', 'f'] }),
  'a singular': options('fifths', 'Fifth', { singular: 'first' }),
  'a short name that is a plural': options('sixths', 'Sixth', { shortNames: ['firsts'] }),
  'a kind that is a list kind': options('sevenths', 'FirstList', {}),
  'a category only': options('eighths', 'Eighth', { categories: ['own'] }),
};

const invalid: { readonly [name: string]: object } = {
  'another name': { ...definition(options('xs', 'X')), metadata: { name: 'ys.conflicting-names.example.com' } },
  'a plural in upper case': definition(options('Xs', 'X')),
  'a kind in lower case': definition(options('xs', 'x')),
  'a kind with a dot': definition(options('xs', 'X.Y')),
  'a kind that is its list kind': definition(options('xs', 'X', { listKind: 'X' })),
  'an empty short name': definition(options('xs', 'X', { shortNames: [''] })),
  'a short name in upper case': definition(options('xs', 'X', { shortNames: ['XS'] })),
  'a short name twice': definition(options('xs', 'X', { shortNames: ['x', 'x'] })),
  'a bad category': definition(options('xs', 'X', { categories: ['Bad_One'] })),
  'a group without a dot': { ...definition({ ...options('xs', 'X'), group: 'nodot' }), metadata: { name: 'xs.nodot' } },
  'a protected group': definition({ ...options('xs', 'X'), group: 'own.k8s.io' }),
  'a protected group, approved': {
    ...definition({ ...options('xs', 'X'), group: 'own.k8s.io' }),
    metadata: {
      name: 'xs.own.k8s.io',
      annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/kubernetes/pull/78458' },
    },
  },
  'a protected group, wrongly approved': {
    ...definition({ ...options('xs', 'X'), group: 'own.kubernetes.io' }),
    metadata: { name: 'xs.own.kubernetes.io', annotations: { 'api-approved.kubernetes.io': 'yes' } },
  },
  'a protected group, unapproved': {
    ...definition({ ...options('xs', 'X'), group: 'own.k8s.io' }),
    metadata: { name: 'xs.own.k8s.io', annotations: { 'api-approved.kubernetes.io': 'unapproved, experimental-only' } },
  },
  'an unknown scope': definition({ ...options('xs', 'X'), spec: { scope: 'Global' } }),
  'no scope': definition({ ...options('xs', 'X'), spec: { scope: null } }),
  'a version that is none': definition({ ...options('xs', 'X'), version: { name: 'V1' } }),
  'versions out of order': definition({
    ...options('xs', 'X'),
    versions: ['v1alpha1', 'v10', 'v2', 'foo1', 'v1beta2'].map((name) => ({
      name,
      served: true,
      storage: name === 'v2',
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  }),
  'fields that are kept': definition({ ...options('xs', 'X'), spec: { preserveUnknownFields: true } }),
  'a conversion without a webhook': definition({
    ...options('xs', 'X'),
    spec: { conversion: { strategy: 'Webhook' } },
  }),
  'a webhook without a strategy': definition({
    ...options('xs', 'X'),
    spec: {
      conversion: {
        strategy: 'None',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x.example.com' } },
      },
    },
  }),
  'a webhook of no version': definition({
    ...options('xs', 'X'),
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: [], clientConfig: { url: 'https://x.example.com' } },
      },
    },
  }),
  'a webhook of another version': definition({
    ...options('xs', 'X'),
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v9'], clientConfig: { url: 'http://x.example.com' } },
      },
    },
  }),
  'a webhook with both': definition({
    ...options('xs', 'X'),
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: {
          conversionReviewVersions: ['v1'],
          clientConfig: { url: 'https://x.example.com', service: { name: 's', namespace: 'n' } },
        },
      },
    },
  }),
  'a bundle that is none': definition({
    ...options('xs', 'X'),
    spec: {
      conversion: {
        strategy: 'Webhook',
        webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://x.example.com', caBundle: 'eA==' } },
      },
    },
  }),
};

const thing = (name: string): object => instance(first, name, { spec: { a: 1 } });
const firsts = places.custom(group, 'firsts', space);

/** Reports: definitions that ask for the same names, and the names that they may have. */
export const nameConflicts = script(
  'name-conflicts',
  inNamespace(space),
  create('first', first),
  forEach(conflicts, (given, name) => [
    ...create(name, given),
    get(
      `${name}: is it served`,
      places.custom(group, given.plural, space),
      name === 'a category only' ? { until: 'EighthList' } : {},
    ),
  ]),
  post('an object', firsts, thing('a')),
  forEach(invalid, (body, name) => post(`invalid: ${name}`, `${definitionsPath}?dryRun=All`, body)),
  // Names that change on a definition that is served.
  forEach(
    {
      'a kind': { kind: 'Renamed' },
      'a singular': { singular: 'renamed' },
      'no short names': { shortNames: [] },
      'a plural': { plural: 'renamed' },
      'a list kind': { listKind: 'RenamedList' },
      categories: { categories: ['all'] },
    },
    (names, name) => [
      patch(`rename ${name}`, 'merge', path('firsts'), { spec: { names } }, { settles: 'slowly' }),
      get(`renamed ${name}`, path('firsts')),
      get(`renamed ${name}: the object`, `${firsts}/a`),
    ],
  ),
  get('short names are free: fourth', path('fourths'), { until: '"NoConflicts"' }),
  patch('another scope', 'merge', path('firsts'), { spec: { scope: 'Cluster' } }),
  patch('another group', 'merge', path('firsts'), { spec: { group: 'other.example.com' } }),
  patch('a wrong webhook', 'merge', path('firsts'), { spec: { conversion: { strategy: 'Webhook' } } }),
  put('a PUT without a version', path('firsts'), definition(first)),
  apply(
    'an apply of the definition',
    path('firsts'),
    definition({ ...first, spec: { preserveUnknownFields: false } }),
    'one&force=true',
  ),
  apply(
    'an apply of a column',
    path('firsts'),
    {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `firsts.${group}` },
      spec: {
        versions: [{ name: 'v1', additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.spec.a' }] }],
      },
    },
    'two',
  ),
  remove('delete the first', path('firsts')),
  get('the first is gone', path('firsts'), { until: 'NotFound' }),
  create('rival', rival),
  create('its rival', { ...options('others', 'Rival', { singular: 'rival', shortNames: ['r', 'o'] }), group: rivals }),
  remove('delete the rival', path('rivals', rivals)),
  get('its names are free', path('others', rivals), { until: '"InitialNamesAccepted"', settles: true }),
  get('the other is served', places.custom(rivals, 'others', space), { until: 'RivalList' }),
  create('the rival again', rival),
);
