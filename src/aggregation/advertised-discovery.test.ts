import { expect, test } from 'vitest';
import { resourcesOfList, resourcesOfOldList } from './advertised-discovery.ts';

const tides = { resource: 'tides', scope: 'Namespaced', verbs: ['get'], singularResource: 'tide' };
const advertised = { resource: 'tides', responseKind: { group: '', version: '', kind: '' }, scope: 'Namespaced' };

test('resources are found by their version, without what the format does not have', async () => {
  const list = { items: [{ metadata: { name: 'a' }, versions: [{ version: 'v1', resources: [{ ...tides, x: 1 }] }] }] };
  expect([...(await resourcesOfList(list))]).toEqual([
    ['a/v1', [{ ...advertised, singularResource: 'tide', verbs: ['get'] }]],
  ]);
});

test('an old list becomes resources with subresources, parents that are missing among them', async () => {
  const resources = [
    { name: 'tides/status', namespaced: true, kind: 'Tide', verbs: ['get'] },
    { name: 'tides', singularName: 'tide', namespaced: true, kind: 'Tide', verbs: ['list'], shortNames: ['td'] },
    { name: 'waves/scale', namespaced: false, kind: '', verbs: [] },
  ];
  const kind = { group: '', version: '', kind: 'Tide' };
  expect(await resourcesOfOldList({ resources })).toEqual([
    {
      resource: 'tides',
      responseKind: kind,
      scope: 'Namespaced',
      singularResource: 'tide',
      verbs: ['list'],
      shortNames: ['td'],
      subresources: [
        {
          subresource: 'status',
          responseKind: kind,
          verbs: ['get'],
        },
      ],
    },
    {
      resource: 'waves',
      responseKind: advertised.responseKind,
      scope: 'Cluster',
      singularResource: '',
      verbs: [],
      subresources: [
        {
          subresource: 'scale',
          responseKind: advertised.responseKind,
          verbs: [],
        },
      ],
    },
  ]);
});

test('a subresource in another scope is refused', async () => {
  const resources = [
    { name: 'tides', namespaced: true, kind: 'Tide' },
    { name: 'tides/status', namespaced: false, kind: 'Tide' },
  ];
  await expect(resourcesOfOldList({ resources })).rejects.toThrow('scope');
});

test.each([
  ['text'],
  [[]],
  [{ items: {} }],
  [{ items: [7] }],
  [{ items: [{ versions: [{ version: 7 }] }] }],
  [{ items: [{ versions: [{ resources: [{ verbs: 'get' }] }] }] }],
])('%j is refused', (list) => expect(resourcesOfList(list)).rejects.toThrow(/expected|not a list/));
