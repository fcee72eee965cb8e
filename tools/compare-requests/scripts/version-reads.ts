import { configMap, instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { type Script, script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const custom = {
  group: 'version-reads.example.com',
  plural: 'folios',
  kind: 'Folio',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  version: { subresources: { status: {} } },
} as const;

/** What a server knows. */
const numbers: { readonly [name: string]: string } = {
  none: '',
  zero: '0',
  'two zeros': '00',
  current: '{{the second|metadata.resourceVersion}}',
};
/** Long before the history that a server remembers. */
const old = { 'zero and one': '01' };
/** No versions. */
const others: { readonly [name: string]: string } = {
  plus: '+1',
  'plus zero': '+0',
  minus: '-1',
  'minus zero': '-0',
  fraction: '1.0',
  hexadecimal: '0x1',
  octal: '0o1',
  exponent: '1e1',
  underscore: '1_0',
  'blank before': ' 1',
  'blank after': '1 ',
  word: 'abc',
  quote: '"1"',
  'full width': '１',
  blank: ' ',
  list: '1,2',
  huge: '18446744073709551616',
};
/** What a server may wait for. */
const far: { readonly [name: string]: string } = {
  'signed most': '9223372036854775807',
  'beyond signed': '9223372036854775808',
  most: '18446744073709551615',
};

interface Subject {
  readonly name: string;
  readonly space: string;
  readonly collection: string;
  readonly of: (name: string, metadata: object) => object;
}

const subjects: readonly Subject[] = [
  {
    name: 'config-maps',
    space: 'version-reads',
    collection: places.configMaps('version-reads'),
    of: (name, metadata) => configMap(name, { a: '1' }, metadata),
  },
  {
    name: 'folios',
    space: 'version-reads-2',
    collection: places.custom(custom.group, custom.plural, 'version-reads-2'),
    of: (name, metadata) => instance(custom, name, { spec: { a: 1 } }, metadata),
  },
];

const otherUid = '00000000-0000-4000-8000-000000000000';

/** A body in place of the query, which is ignored if there is one. */
const dryly = (preconditions: unknown): object => ({ dryRun: ['All'], preconditions });

const written = (value: string): string => (value.startsWith('{{') ? value : encodeURIComponent(value));

function reads({ collection }: Subject, value: string, title: string): readonly Step[] {
  const version = `resourceVersion=${written(value)}`;
  const token = '{{a page|metadata.continue}}';
  const queries = {
    list: version,
    exact: `${version}&resourceVersionMatch=Exact`,
    'not older': `${version}&resourceVersionMatch=NotOlderThan`,
    page: `${version}&limit=1`,
    'exact page': `${version}&resourceVersionMatch=Exact&limit=1`,
    'page not older': `${version}&resourceVersionMatch=NotOlderThan&limit=1`,
    'of one': `${version}&fieldSelector=metadata.name%3Da`,
    'next page': `${version}&limit=1&continue=${token}`,
    'exact next page': `${version}&resourceVersionMatch=Exact&limit=1&continue=${token}`,
    'with events': `${version}&sendInitialEvents=true`,
  };
  return [
    get(`get: ${title}`, `${collection}/a?${version}`),
    ...forEach(queries, (query, what) => get(`list, ${what}: ${title}`, `${collection}?${query}`)),
    ...forEach(queries, (query, what) => remove(`delete all, ${what}: ${title}`, `${collection}?dryRun=All&${query}`)),
    get(`watch the only: ${title}`, `${collection}/a?watch=true&timeoutSeconds=1&${version}`),
  ];
}

function watches({ collection }: Subject, value: string, title: string): readonly Step[] {
  const version = `resourceVersion=${written(value)}`;
  const queries = {
    watch: version,
    'with a match': `${version}&resourceVersionMatch=NotOlderThan`,
    exact: `${version}&resourceVersionMatch=Exact`,
    'initial events': `${version}&sendInitialEvents=true`,
    'initial events and match': `${version}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    'initial events and exact match': `${version}&sendInitialEvents=true&resourceVersionMatch=Exact`,
    'all of it': `${version}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
    'no initial events': `${version}&sendInitialEvents=false`,
    'no initial events and match': `${version}&sendInitialEvents=false&resourceVersionMatch=NotOlderThan`,
    'a limit': `${version}&limit=1`,
    'a token': `${version}&continue=x`,
  };
  return forEach(queries, (query, what) =>
    get(`watch, ${what}: ${title}`, `${collection}?watch=true&timeoutSeconds=1&${query}`),
  );
}

function writes({ collection, of }: Subject, value: string, title: string): readonly Step[] {
  const one = `${collection}/a`;
  const dry = 'dryRun=All';
  const metadata = { resourceVersion: value };
  const uid = '{{the first|metadata.uid}}';
  return [
    post(`post: ${title}`, `${collection}?${dry}`, of('n', metadata)),
    put(`put: ${title}`, `${one}?${dry}`, of('a', metadata)),
    put(`put the status: ${title}`, `${one}/status?${dry}`, of('a', metadata)),
    patch(`merge: ${title}`, 'merge', `${one}?${dry}`, { metadata }),
    apply(`apply: ${title}`, `${one}?${dry}`, of('a', metadata), 'x&force=true'),
    apply(`apply anew: ${title}`, `${collection}/n?${dry}`, of('n', metadata), 'x&force=true'),
    remove(`delete: ${title}`, one, dryly({ resourceVersion: value })),
    remove(`delete with uid: ${title}`, one, dryly({ resourceVersion: value, uid })),
    remove(`delete with another uid: ${title}`, one, dryly({ resourceVersion: value, uid: otherUid })),
    remove(`delete what is not there: ${title}`, `${collection}/n`, dryly({ resourceVersion: value })),
    remove(`delete all: ${title}`, collection, dryly({ resourceVersion: value })),
  ];
}

function uids({ collection, of }: Subject): readonly Step[] {
  const values: { readonly [name: string]: unknown } = {
    empty: '',
    word: 'x',
    another: otherUid,
    own: '{{the first|metadata.uid}}',
    number: 1,
    none: null,
    list: [],
  };
  return forEach(values, (uid, title) => [
    remove(`delete: uid: ${title}`, `${collection}/a`, dryly({ uid })),
    remove(`delete all: uid: ${title}`, collection, dryly({ uid })),
    remove(`delete: version of type: ${title}`, `${collection}/a`, dryly({ resourceVersion: uid })),
    remove(`delete: preconditions: ${title}`, `${collection}/a`, dryly(uid)),
    put(`put: uid: ${title}`, `${collection}/a?dryRun=All`, of('a', { uid })),
    post(`post: uid: ${title}`, `${collection}?dryRun=All`, of('n', { uid })),
    patch(`merge: uid: ${title}`, 'merge', `${collection}/a?dryRun=All`, { metadata: { uid } }),
    apply(`apply: uid: ${title}`, `${collection}/a?dryRun=All`, of('a', { uid }), 'x&force=true'),
  ]);
}

/** Every script has a namespace of its own. */
function begun(name: string, subject: Subject, steps: (subject: Subject) => readonly Step[]): Script {
  const space = `${subject.space}-${name}`;
  const own = { ...subject, space, collection: subject.collection.replace(`/${subject.space}/`, `/${space}/`) };
  const definition = { ...custom, group: `${name}.${custom.group}` };
  const isCustom = subject.name === 'folios';
  const of: Subject['of'] = (object, metadata) =>
    isCustom ? instance(definition, object, { spec: { a: 1 } }, metadata) : subject.of(object, metadata);
  const collection = isCustom ? places.custom(definition.group, custom.plural, space) : own.collection;
  return script(
    `version-${name}-${subject.name}`,
    inNamespace(space),
    isCustom ? define(definition) : [],
    post('the first', collection, of('a', {})),
    post('the second', collection, of('b', {}), { settles: true }),
    get('the list', collection),
    get('a page', `${collection}?limit=1`),
    steps({ ...own, collection, of }),
    remove('delete all that are the second', collection, {
      preconditions: { resourceVersion: '{{the second|metadata.resourceVersion}}' },
    }),
    get('the list at last', collection),
  );
}

/** Reports: reads and writes at resource versions of every form. */
export const versionReads: readonly Script[] = subjects.flatMap((subject) => [
  begun('reads', subject, (own) => [
    ...forEach({ ...numbers, ...old, ...others }, (value, title) => [
      ...reads(own, value, title),
      ...writes(own, value, title),
    ]),
    ...forEach(far, (value, title) => writes(own, value, title)),
    ...uids(own),
    ...forEach(others, (value, title) => watches(own, value, title)),
  ]),
  begun('watches', subject, (own) => forEach(numbers, (value, title) => watches(own, value, title))),
  ...Object.entries(far).map(([title, value]) =>
    begun(`far-${title.replace(' ', '-')}`, subject, (own) => [
      ...reads(own, value, title),
      ...watches(own, value, title),
    ]),
  ),
]);
