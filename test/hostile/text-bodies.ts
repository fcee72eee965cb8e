import { maximalBytes } from './hostile-case.ts';

/** So many bytes of items with commas between them. */
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

/** Just fewer than a body may hold objects and lists. */
export function manyItems(item: string): string {
  return items(item, mostItems * (item.length + 1));
}

const mostItems = 120_000;

/** A document with `hole` in one place; the marker may be anything that JSON can say. */
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
