import { configMap, instance, places } from '../objects.ts';
import { define } from '../definitions.ts';
import { script, type Step } from '../script.ts';
import { apply, forEach, get, inNamespace, patch, post, put, remove } from '../steps.ts';

const space = 'rv';
const custom = {
  group: 'rv.example.com',
  plural: 'marks',
  kind: 'Mark',
  properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  version: { subresources: { status: {} } },
} as const;
const texts: { readonly [name: string]: string } = {
  none: '',
  zero: '0',
  'two zeros': '00',
  three: '3',
  far: '999999999999999999',
  beyond: '18446744073709551616',
  'a word': 'abc',
  negative: '-1',
  'a fraction': '1.0',
  'a blank': ' 1',
};

type Subject = { readonly collection: string; readonly of: (name: string, metadata: object) => object };
const subjects: { readonly [name: string]: Subject } = {
  'config map': { collection: places.configMaps(space), of: (name, metadata) => configMap(name, { a: '1' }, metadata) },
  mark: {
    collection: places.custom(custom.group, custom.plural, space),
    of: (name, metadata) => instance(custom, name, { spec: { a: 1 } }, metadata),
  },
};

function formSteps({ collection, of }: Subject, subject: string): readonly Step[] {
  const one = `${collection}/a`;
  return [
    post(`${subject}: create`, collection, of('a', {})),
    ...forEach(texts, (resourceVersion, name) => {
      const query = encodeURIComponent(resourceVersion);
      const called = (what: string): string => `${subject}: ${what} ${name}`;
      return [
        post(called('post'), `${collection}?dryRun=All`, of('b', { resourceVersion })),
        put(called('put'), `${one}?dryRun=All`, of('a', { resourceVersion })),
        patch(called('merge'), 'merge', `${one}?dryRun=All`, { metadata: { resourceVersion } }),
        patch(called('JSON patch'), 'json', `${one}?dryRun=All`, [
          { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion },
        ]),
        apply(called('apply'), `${one}?dryRun=All`, of('a', { resourceVersion }), 'x&force=true'),
        remove(called('delete'), `${one}?dryRun=All`, { preconditions: { resourceVersion } }),
        get(called('get'), `${one}?resourceVersion=${query}`),
        get(called('list'), `${collection}?resourceVersion=${query}`),
        get(called('list, exact'), `${collection}?resourceVersion=${query}&resourceVersionMatch=Exact`),
        get(
          called('list, not older'),
          `${collection}?resourceVersion=${query}&resourceVersionMatch=NotOlderThan&limit=1`,
        ),
        get(called('list, unknown match'), `${collection}?resourceVersion=${query}&resourceVersionMatch=Nope`),
        get(called('watch'), `${collection}?resourceVersion=${query}&watch=true&timeoutSeconds=1`),
        remove(called('delete collection'), `${collection}?dryRun=All&resourceVersion=${query}`),
      ];
    }),
  ];
}

function conflictSteps({ collection, of }: Subject, subject: string): readonly Step[] {
  const one = `${collection}/a`;
  const first = `{{${subject}: get|metadata.resourceVersion}}`;
  return [
    get(`${subject}: get`, one),
    put(`${subject}: the current version`, one, of('a', { resourceVersion: first, labels: { a: 'b' } })),
    put(`${subject}: an old version`, one, of('a', { resourceVersion: first })),
    patch(`${subject}: merge at an old version`, 'merge', one, {
      metadata: { resourceVersion: first, labels: { a: 'c' } },
    }),
    patch(`${subject}: test of the version`, 'json', one, [
      { op: 'test', path: '/metadata/resourceVersion', value: first },
    ]),
    apply(
      `${subject}: apply at an old version`,
      one,
      of('a', { resourceVersion: first, labels: { a: 'd' } }),
      'x&force=true',
    ),
    remove(`${subject}: delete at an old version`, one, {
      preconditions: { resourceVersion: first },
    }),
    remove(`${subject}: delete another uid`, one, { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } }),
    patch(`${subject}: another uid`, 'merge', one, { metadata: { uid: '00000000-0000-4000-8000-000000000000' } }),
    put(`${subject}: put another uid`, one, of('a', { uid: '00000000-0000-4000-8000-000000000000' })),
    patch(`${subject}: no change`, 'merge', one, { metadata: { labels: { a: 'b' } } }),
    put(`${subject}: put of the status`, `${one}/status`, of('a', { resourceVersion: first })),
    get(`${subject}: at the end`, one),
    remove(`${subject}: delete it`, one, {
      preconditions: {
        resourceVersion: `{{${subject}: at the end|metadata.resourceVersion}}`,
        uid: `{{${subject}: at the end|metadata.uid}}`,
      },
    }),
    put(
      `${subject}: put after it was deleted`,
      one,
      of('a', {
        resourceVersion: first,
        uid: `{{${subject}: get|metadata.uid}}`,
      }),
    ),
  ];
}

/** Reports: conflicts, preconditions, and what clients send as a resource version. */
export const resourceVersions = script(
  'resource-versions',
  inNamespace(space),
  define(custom),
  forEach(subjects, (subject, name) => [...formSteps(subject, name), ...conflictSteps(subject, name)]),
);
