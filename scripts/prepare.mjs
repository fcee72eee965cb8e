// Installs and builds what is missing or out of date; a few milliseconds if nothing is.
import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findNode } from './pinned-node.mjs';
import { root } from './root.mjs';

export function prepare() {
  if (!isInstalled()) {
    console.error('Installing dependencies (npm ci) ...');
    installDependencies();
  }
  if (!isBuilt()) {
    console.error('Building ...');
    run(findNode(), [join(root, 'scripts', 'build.mjs')]);
  }
}

/** Whether `node_modules` matches the lockfile; packages for other platforms may be absent. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  if (!wanted || !installed) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    // Folders of the checkout.
    if (!path.startsWith('node_modules/') || entry.link === true) return true;
    const found = installed[path];
    if (!found) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(name) {
  let text;
  try {
    text = readFileSync(join(root, name), 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
  return JSON.parse(text).packages;
}

function installDependencies() {
  if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new Error('node_modules is a link, and what it points to does not fit package-lock.json: run "npm ci" there');
  }
  // npm's own entry if npm runs this script; on Windows `npm` is a .cmd file, which only a shell can start.
  const npm = process.env.npm_execpath;
  const options = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--loglevel=error'];
  if (npm) run(process.execPath, [npm, ...options]);
  else run('npm', options, { shell: process.platform === 'win32' });
}

/** Whether the bundle is newer than all its sources. */
function isBuilt() {
  const built = modifiedMs('dist/binnacle.js');
  if (built === undefined) return false;
  return ['src', 'scripts', 'package-lock.json', 'package.json'].every((path) => newestMs(path) < built);
}

/** The latest modification in a directory tree, including of directories, which change when files are removed. */
function newestMs(path) {
  const own = modifiedMs(path) ?? 0;
  const absolute = join(root, path);
  if (!statSync(absolute).isDirectory()) return own;
  return readdirSync(absolute, { withFileTypes: true }).reduce((newest, entry) => {
    if (entry.name.endsWith('.test.ts')) return newest;
    const child = join(path, entry.name);
    return Math.max(newest, entry.isDirectory() ? newestMs(child) : (modifiedMs(child) ?? 0));
  }, own);
}

function modifiedMs(path) {
  return statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs;
}

function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], ...options });
  if (error) throw error;
  if (status !== 0) throw new Error(`"${[command, ...args].join(' ')}" failed`);
}
