// Where the reference stores each resource, from the stubs of its integration test.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface StorageRow {
  /** Key prefix below `/registry/`. */
  readonly prefix: string;
  /** The stored `group/version/kind`; undefined if it is the served one. */
  readonly storedAs?: string;
}

/** By `group/version/plural`. */
export function readEtcdData(kubernetesDir: string): ReadonlyMap<string, StorageRow> {
  const text = readFileSync(join(kubernetesDir, 'test/integration/etcd/data.go'), 'utf8');
  const rows = new Map<string, StorageRow>();
  const pattern = /gvr\("([^"]*)", "([^"]*)", "([^"]*)"\): \{\n([\s\S]*?)\n\t\t\},/g;
  for (const [, group = '', version = '', plural = '', body = ''] of text.matchAll(pattern)) {
    const path = /ExpectedEtcdPath:\s*"\/registry\/([^"]*)"(.*),/.exec(body);
    if (path?.[1] === undefined) throw new Error(`${group}/${version}/${plural}: no etcd path`);
    const prefix = path[1].slice(0, path[1].lastIndexOf('/'));
    const stored = /ExpectedGVK:\s*gvkP\("([^"]*)", "([^"]*)", "([^"]*)"\)/.exec(body)?.slice(1).join('/');
    rows.set(`${group}/${version}/${plural}`, { prefix, ...(stored === undefined ? {} : { storedAs: stored }) });
  }
  return rows;
}
