import { maximalBytes } from './hostile-case.ts';

/** About `bytes` of comma-separated items. */
export function items(item: string | ((index: number) => string), bytes = maximalBytes): string {
  if (typeof item === 'string') return `${`${item},`.repeat(Math.floor(bytes / (item.length + 1)) - 1)}${item}`;
  const made: string[] = [];
  for (let length = 0; length < bytes - 30;) {
    const next = item(made.length);
    made.push(next);
    length += next.length + 1;
  }
  return made.join(',');
}

/** Just below the limit of objects and lists in a body. */
export function manyItems(item: string): string {
  return items(item, mostItems * (item.length + 1));
}

const mostItems = 120_000;

/** The parts of a document around `hole`, which may be any JSON value. */
export function around(document: object, hole: string): string {
  return JSON.stringify(document).replace('"HOLE"', () => hole);
}

export const pod = (spec: object = {}, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'hostile', ...metadata },
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});

export const configMap = (parts: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'hostile', ...metadata },
  ...parts,
});

export const namespaced = (plural: string, group = 'api/v1'): string => `/${group}/namespaces/default/${plural}`;
