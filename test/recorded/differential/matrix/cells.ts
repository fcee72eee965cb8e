import { servedResources } from '../../../../src/schema/kubernetes/api-enablement.ts';

/** One request of the matrix. Braces refer to versions and tokens of the set-up: `resourceVersion={N}`. */
export interface Cell {
  readonly name: string;
  readonly path: string;
  readonly accept?: string;
  /** Record the response as a whole rather than its objects by name and version. */
  readonly whole?: boolean;
  /** Whether bookmarks that a timer sends are recorded too. */
  readonly timedBookmarks?: boolean;
}

export const namespace = 'diff-matrix';
const base = `/api/v1/namespaces/${namespace}/configmaps`;

interface Setting {
  readonly name: string;
  readonly query: string;
}

type Dimension = readonly Setting[];

const versions: Dimension = [
  { name: 'no version', query: '' },
  { name: '0', query: 'resourceVersion=0' },
  { name: 'N', query: 'resourceVersion={N}' },
  { name: 'future', query: 'resourceVersion={future}' },
  { name: 'unparsable', query: 'resourceVersion=abc' },
];
const matches: Dimension = [
  { name: 'no match', query: '' },
  { name: 'Exact', query: 'resourceVersionMatch=Exact' },
  { name: 'NotOlderThan', query: 'resourceVersionMatch=NotOlderThan' },
  { name: 'Other', query: 'resourceVersionMatch=Other' },
];
const limits: Dimension = [
  { name: 'no limit', query: '' },
  { name: 'limit', query: 'limit=1' },
];
const continues: Dimension = [
  { name: 'no token', query: '' },
  { name: 'token', query: 'continue={token}' },
  { name: 'inconsistent token', query: 'continue={inconsistent}' },
];
const initialEvents: Dimension = [
  { name: 'no sendInitialEvents', query: '' },
  { name: 'sendInitialEvents', query: 'sendInitialEvents=true' },
  { name: 'no initial events', query: 'sendInitialEvents=false' },
];
const bookmarks: Dimension = [
  { name: 'no bookmarks', query: '' },
  { name: 'bookmarks', query: 'allowWatchBookmarks=true' },
];
const selectors: Dimension = [
  { name: 'one name', query: 'fieldSelector=metadata.name%3Db' },
  { name: 'a label', query: 'labelSelector=color%3Dred' },
  { name: 'another namespace', query: 'fieldSelector=metadata.namespace%3Dother' },
];
const watching: Setting = { name: 'watch', query: 'watch=true&timeoutSeconds=1' };
const listing: Setting = { name: 'list', query: '' };

/** Every combination of one setting of each dimension. */
function product(start: Setting, dimensions: readonly Dimension[]): Setting[] {
  return dimensions.reduce<Setting[]>(
    (settings, dimension) =>
      settings.flatMap((left) =>
        dimension.map((right) => ({
          name: `${left.name}, ${right.name}`,
          query: [left.query, right.query].filter((part) => part !== '').join('&'),
        })),
      ),
    [start],
  );
}

function cellOf({ name, query }: Setting, path = base): Cell {
  return { name, path: query === '' ? path : `${path}?${query}` };
}

const gets: readonly Cell[] = ['b', 'missing'].flatMap((object) =>
  versions.map((version) =>
    cellOf({ name: `get ${object}, ${version.name}`, query: version.query }, `${base}/${object}`),
  ),
);

const lists: readonly Cell[] = [
  ...product(listing, [versions, matches, limits, continues, initialEvents]),
  ...product(listing, [selectors, versions, matches, limits]),
  ...product(listing, [selectors, continues.slice(1), limits]),
].map((setting) => cellOf(setting));

const watches: readonly Cell[] = [
  ...product(watching, [versions, matches, limits, continues.slice(0, 2), initialEvents, bookmarks]),
  ...product(watching, [selectors, versions, initialEvents.slice(0, 2)]),
].map((setting) => cellOf(setting));

/** Different ways to ask for one set of objects. */
const ways: readonly Cell[] = [
  { name: 'item path with watch', path: `${base}/b?watch=true` },
  { name: 'legacy watch', path: `/api/v1/watch/namespaces/${namespace}/configmaps` },
  { name: 'legacy watch of one', path: `/api/v1/watch/namespaces/${namespace}/configmaps/b` },
  {
    name: 'legacy watch of one with watch=true',
    path: `/api/v1/watch/namespaces/${namespace}/configmaps/b?watch=true`,
  },
  {
    name: 'legacy watch of one and another name',
    path: `/api/v1/watch/namespaces/${namespace}/configmaps/b?fieldSelector=metadata.name%3Dc`,
  },
].flatMap((way) =>
  versions.slice(0, 3).map((version) => {
    const { name, path } = cellOf({ name: `${way.name}, ${version.name}`, query: version.query }, way.path);
    const query = path.replaceAll('?', '&').replace('&', '?');
    return { name, path: `${query}${query.includes('?') ? '&' : '?'}timeoutSeconds=1` };
  }),
);

/** `{raw:...}` is a token with that JSON. */
const tokens: readonly (readonly [name: string, text: string])[] = [
  ['no JSON', 'x'],
  ['no object', '[]'],
  ['a number', '1'],
  ['cut off', '{"v":'],
  ['more behind', '{"v":"meta.k8s.io/v1","rv":5,"start":"b"} x'],
  ['without a version', '{"rv":5,"start":"b"}'],
  ['of another version', '{"v":"meta.k8s.io/v2","rv":5,"start":"b"}'],
  ['with a number for a version', '{"v":1,"rv":5,"start":"b"}'],
  ['without a revision', '{"v":"meta.k8s.io/v1","start":"b"}'],
  ['with text for a revision', '{"v":"meta.k8s.io/v1","rv":"5","start":"b"}'],
  ['with a fraction for a revision', '{"v":"meta.k8s.io/v1","rv":1.5,"start":"b"}'],
  ['without a start', '{"v":"meta.k8s.io/v1","rv":5}'],
  ['with a number for a start', '{"v":"meta.k8s.io/v1","rv":5,"start":1}'],
  ['out of the prefix', '{"v":"meta.k8s.io/v1","rv":-1,"start":"../secrets"}'],
  ['out of the prefix with a slash', '{"v":"meta.k8s.io/v1","rv":-1,"start":"/../secrets"}'],
  ['out of the prefix on a way', '{"v":"meta.k8s.io/v1","rv":-1,"start":"b/../../secrets"}'],
  ['with a dot', '{"v":"meta.k8s.io/v1","rv":-1,"start":"./b"}'],
  ['with two slashes', '{"v":"meta.k8s.io/v1","rv":-1,"start":"b//c"}'],
  ['with a slash at the end', '{"v":"meta.k8s.io/v1","rv":-1,"start":"b/"}'],
  ['with a slash at the start', '{"v":"meta.k8s.io/v1","rv":-1,"start":"/b"}'],
  ['of a slash', '{"v":"meta.k8s.io/v1","rv":-1,"start":"/"}'],
  ['of dots', '{"v":"meta.k8s.io/v1","rv":-1,"start":".."}'],
  ['with an encoded slash', '{"v":"meta.k8s.io/v1","rv":-1,"start":"b%2f..%2f"}'],
  ['in other letters', '{"V":"meta.k8s.io/v1","RV":-1,"Start":"b"}'],
  ['with another field', '{"v":"meta.k8s.io/v1","rv":-1,"start":"b","x":1}'],
  ['of the far future', '{"v":"meta.k8s.io/v1","rv":9000000000,"start":"b"}'],
];

const special: readonly Cell[] = [
  ...tokens.map(([name, text]) => ({ name: `token ${name}`, path: `${base}?limit=1&continue={raw:${text}}` })),
  { name: 'token with bad characters', path: `${base}?limit=1&continue=a%2Bb` },
  { name: 'token with padding', path: `${base}?limit=1&continue=e30%3D` },
  { name: 'token of one letter', path: `${base}?limit=1&continue=e` },
  { name: 'token without a limit', path: `${base}?continue={token}` },
  { name: 'token in all namespaces', path: '/api/v1/configmaps?labelSelector=color&continue={token}' },
  { name: 'negative version', path: `${base}?resourceVersion=-1` },
  { name: 'version with a plus', path: `${base}?resourceVersion=%2B5` },
  { name: 'version with zeros', path: `${base}?resourceVersion=00` },
  { name: 'version too large for 64 bits', path: `${base}?resourceVersion=18446744073709551616` },
  { name: 'get, version too large for 64 bits', path: `${base}/b?resourceVersion=18446744073709551616` },
  {
    name: 'watch, version too large for 64 bits',
    path: `${base}?watch=1&timeoutSeconds=1&resourceVersion=18446744073709551616`,
  },
  { name: 'exact at the first version', path: `${base}?resourceVersion={first}&resourceVersionMatch=Exact` },
  {
    name: 'exact at the first version, all namespaces',
    path: '/api/v1/configmaps?resourceVersion={first}&resourceVersionMatch=Exact&fieldSelector=metadata.namespace%3Ddiff-matrix',
  },
  { name: 'pages at N: 1', path: `${base}?resourceVersion={N}&resourceVersionMatch=Exact&limit=2` },
  { name: 'watch from the first version', path: `${base}?watch=1&timeoutSeconds=1&resourceVersion={first}` },
  {
    name: 'watch from the first version, red alone',
    path: `${base}?watch=1&timeoutSeconds=1&resourceVersion={first}&labelSelector=color%3Dred`,
  },
  {
    name: 'watch from the first version, not red',
    path: `${base}?watch=1&timeoutSeconds=1&resourceVersion={first}&labelSelector=color%21%3Dred`,
  },
  {
    name: 'watch from the first version, one',
    path: `${base}?watch=1&timeoutSeconds=1&resourceVersion={first}&fieldSelector=metadata.name%3Da`,
  },
  {
    name: 'watch from the first version, all namespaces',
    path: '/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion={first}&fieldSelector=metadata.namespace%3Ddiff-matrix',
  },
  { name: 'watch of no time', path: `${base}?watch=1&timeoutSeconds=abc` },
  { name: 'negative limit', path: `${base}?limit=-1` },
  {
    name: 'all namespaces, one by its fields',
    path: '/api/v1/configmaps?fieldSelector=metadata.namespace%3Ddiff-matrix,metadata.name%3Db',
  },
  {
    name: 'watch all namespaces, one by its fields',
    path: '/api/v1/configmaps?watch=1&timeoutSeconds=1&fieldSelector=metadata.namespace%3Ddiff-matrix,metadata.name%3Db',
  },
  {
    name: 'watch all namespaces, one name',
    path: '/api/v1/configmaps?watch=1&timeoutSeconds=1&resourceVersion={first}&fieldSelector=metadata.name%3Db',
  },
  {
    name: 'a bookmark before the end',
    path: `${base}?watch=1&timeoutSeconds=4&allowWatchBookmarks=true&resourceVersion={N}`,
    timedBookmarks: true,
  },
];

const streaming =
  'watch=1&timeoutSeconds=1&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&labelSelector=color%3Dgreen';
const forms = ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap((kind) =>
  ['v1', 'v1beta1'].map((version) => ({
    name: `${kind} of ${version}`,
    accept: `application/json;as=${kind};g=meta.k8s.io;v=${version}`,
  })),
);
/** Every watchable kind. */
const kinds: readonly string[] = servedResources(new Map(), { release: '1.37' })
  .filter(({ verbs }) => verbs.includes('watch'))
  .map(({ group, version, plural }) => `${group === '' ? '/api' : `/apis/${group}`}/${version}/${plural}`);

/** Bookmarks in every representation. */
const bookmarkForms: readonly Cell[] = [
  { name: 'objects', path: `${base}?${streaming}`, whole: true },
  ...forms.map(({ name, accept }) => ({
    name: `${name}, streamed`,
    path: `${base}?${streaming}`,
    accept,
    whole: true,
  })),
  ...['None', 'Object', 'Metadata'].map((include) => ({
    name: `Table including ${include}, streamed`,
    path: `${base}?${streaming}&includeObject=${include}`,
    accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
    whole: true,
  })),
  ...kinds.flatMap((path) => [
    { name: `bookmark of ${path}`, path: `${path}?${streaming}`, whole: true },
    {
      name: `bookmark of ${path} as Table`,
      path: `${path}?${streaming}`,
      accept: 'application/json;as=Table;g=meta.k8s.io;v=v1',
      whole: true,
    },
  ]),
];

/** Pages, exact lists and changes in every representation. */
const otherForms: readonly Cell[] = forms.flatMap(({ name, accept }) =>
  [
    { name: 'page', path: `${base}?limit=1` },
    { name: 'last page', path: `${base}?continue={token}` },
    { name: 'exact', path: `${base}?resourceVersion={N}&resourceVersionMatch=Exact` },
    { name: 'object', path: `${base}/b` },
    { name: 'changes', path: `${base}?watch=1&timeoutSeconds=1&resourceVersion={N}` },
    {
      name: 'too large',
      path: `${base}?watch=1&resourceVersion={future}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    },
  ].map((cell) => ({ name: `${cell.name} as ${name}`, path: cell.path, accept, whole: true })),
);

export const cells: readonly Cell[] = [
  ...gets,
  ...lists,
  ...watches,
  ...ways,
  ...special,
  ...bookmarkForms,
  ...otherForms,
];
