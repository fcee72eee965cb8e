import { describe, expect, test } from 'vitest';
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

describe('rules of any number of combinations', () => {
  const names = (of: string): string[] => Array.from({ length: 1_000 }, (_, index) => `${of}${index}`);
  const wide = new RuleIndex<string>();
  wide.add({ verbs: names('v'), apiGroups: names('g'), resources: names('r'), resourceNames: names('n') }, 'wide');
  wide.add({ verbs: ['*'], apiGroups: names('g'), resources: [...names('s'), '*/status', 't/log'] }, 'any verb');
  wide.add({ verbs: names('v'), nonResourceURLs: ['/a', '/b/*', ...names('/c')] }, 'paths');
  wide.add({ verbs: ['get'], apiGroups: [''], resources: ['pods'] }, 'plain');

  test.each([
    ['v1', 'g2', 'r3', 'n4', 'wide'],
    ['v1', 'g2', 'r3', 'n1000', undefined],
    ['v1', 'g2', 'r3', undefined, undefined],
    ['v1', 'g2', 'r1000', 'n4', undefined],
    ['v1', 'g1000', 'r3', 'n4', undefined],
    ['v1000', 'g2', 'r3', 'n4', undefined],
    ['get', 'g2', 's3', undefined, 'any verb'],
    ['get', 'g2', 't log', '', 'any verb'],
    ['get', 'g2', 'u status', '', 'any verb'],
    ['get', 'g2', 's3 log', '', undefined],
    ['get', '', 'pods', undefined, 'plain'],
  ])('%s %j %s %s', (verb, group, path, name, source) => {
    const [resource = '', subresource = ''] = path.split(' ');
    expect(wide.find({ verb, group, resource, subresource, name })).toBe(source);
  });

  test.each([
    ['v1', '/a', 'paths'],
    ['v1', '/b/c', 'paths'],
    ['v1', '/b', undefined],
    ['get', '/a', undefined],
  ])('%s the path %s', (verb, path, source) => expect(wide.findPath(verb, path)).toBe(source));

  test('are told, and are few', () => expect(wide.compared).toBe(3));
});
