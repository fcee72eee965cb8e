import { expect, test } from 'vitest';
import { longestFirst, longestSpread } from './order.ts';
import { countsByFolder, quickFiles } from './quick-files.ts';

const durations = { system: { 'test/etcd/a.test.ts': 30, 'test/etcd/b.test.ts': 4, 'test/watch/a.test.ts': 20 } };
const file = (path: string, project = 'system') => ({ project, path });
const [etcdA, etcdB, etcdC] = ['a', 'b', 'c'].map((name) => file(`test/etcd/${name}.test.ts`));
const [watchA, again] = [file('test/watch/a.test.ts'), file('test/etcd/a.test.ts', 'threads')];

test('files are quick by their project, and each folder has one', () => {
  const files = [etcdA, etcdB, etcdC, watchA, again].filter((some) => some !== undefined);
  expect(quickFiles(files, durations, 5)).toEqual([etcdC, again, etcdB, watchA]);
  expect(countsByFolder(files)).toBe('etcd 4, watch 1');
  const recorded = ['cel', 'rules', 'rules'].map((subject, at) => file(`test/recorded/${subject}/${at}.test.ts`));
  expect(countsByFolder(recorded)).toBe('cel 1, rules 2');
});

test('the longest begin first, or one after the other', () => {
  const others = Array.from({ length: 6 }, (_, i) => file(`src/${i}.test.ts`));
  const files = [...others, etcdB, etcdA].filter((some) => some !== undefined);
  expect(longestFirst(files, durations)).toEqual([etcdA, etcdB, ...others]);
  expect(longestSpread(files, durations)).toEqual([etcdA, ...others.slice(0, 2), etcdB, ...others.slice(2)]);
});
