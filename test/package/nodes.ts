import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A release of Node that users may have. */
export interface NodeRelease {
  readonly version: string;
  readonly path: string;
  /** Why it cannot be used here. */
  readonly missing: string | undefined;
}

const folder = process.env['BINNACLE_NODES'] ?? join(homedir(), '.cache', 'binnacle-nodes');
const { platform, arch } = process;

function installed(version: string): NodeRelease {
  const path = join(folder, version, 'node_modules', `node-${platform}-${arch}`, 'bin', 'node');
  const missing = existsSync(path) ? undefined : `there is no ${path}`;
  // Only there do we know packages of all of them.
  if (missing !== undefined && process.env['CI'] === 'true' && platform === 'linux') throw new Error(missing);
  return { version, path, missing };
}

const [tooOld = '', ...supported] = readFileSync(join(import.meta.dirname, 'nodes.txt'), 'utf8')
  .trim()
  .split('\n');

export const olderNode = installed(tooOld);
/** The first is the oldest supported one, the last the pinned one. */
export const nodes: readonly NodeRelease[] = [
  ...supported.map(installed),
  { version: process.versions.node, path: process.execPath, missing: undefined },
];
