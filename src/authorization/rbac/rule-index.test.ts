import { expect, test } from 'vitest';
import { RuleIndex } from './rule-index.ts';

const index = new RuleIndex<string>();
index.add({ verbs: ['get', 'list'], apiGroups: [''], resources: ['pods', '*/status'] }, 'plain');
index.add({ verbs: ['*'], apiGroups: ['apps'], resources: ['*'] }, 'all of apps');
index.add({ verbs: ['get'], apiGroups: ['*'], resources: ['secrets'], resourceNames: ['a', 'b'] }, 'two secrets');
index.add({ verbs: ['get'], nonResourceURLs: ['/a', '/b/*', '/c**'] }, 'paths');
index.add({ verbs: ['list'], apiGroups: [''], resources: ['pods'] }, 'later');

function find(verb: string, group: string, path: string, name: string | undefined = '') {
  const [resource = '', subresource = ''] = path.split(' ');
  return index.find({ verb, group, resource, subresource, name });
}

test.each([
  ['get', '', 'pods', 'plain'],
  ['list', '', 'pods', 'plain'],
  ['watch', '', 'pods', undefined],
  ['get', 'apps', 'pods', 'all of apps'],
  ['get', 'batch', 'pods', undefined],
  ['get', '', 'pods log', undefined],
  ['get', '', 'pods status', 'plain'],
  ['get', '', 'nodes status', 'plain'],
  ['get', '', 'nodes/status', undefined],
  ['get', '', '* status', 'plain'],
  ['get', '', '*', undefined],
  ['*', '', 'pods', undefined],
  ['*', 'apps', '*', 'all of apps'],
  ['delete', 'apps', 'deployments scale', 'all of apps'],
  ['get', '', 'secrets', undefined],
])('%s %j %s', (verb, group, path, source) => expect(find(verb, group, path)).toBe(source));

test('rules with names allow only these objects', () => {
  expect(find('get', 'x', 'secrets', 'a')).toBe('two secrets');
  expect(find('get', 'x', 'secrets', 'c')).toBeUndefined();
  expect(find('get', 'x', 'secrets', undefined)).toBeUndefined();
});

test.each([
  ['/a', 'paths'],
  ['/a/', undefined],
  ['/b', undefined],
  ['/b/', 'paths'],
  ['/b/c/d', 'paths'],
  ['/b/*', 'paths'],
  ['/c', 'paths'],
  ['/cd', 'paths'],
])('the path %s', (path, source) => expect(index.findPath('get', path)).toBe(source));

test('a path allows only its verbs, and `*` is a prefix of every path', () => {
  const all = new RuleIndex<string>();
  all.add({ verbs: ['get'], nonResourceURLs: ['*'] }, 'all');
  expect(index.findPath('post', '/a')).toBeUndefined();
  expect(all.findPath('get', '/')).toBe('all');
  expect(all.findPath('get', '')).toBe('all');
});
