import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { bundle } from '../../scripts/bundle.mjs';
import { writeTypes } from '../../scripts/types.mjs';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

/** The package, installed in an otherwise empty folder as users install it. */
export interface InstalledPackage extends Disposable {
  /** Where it was installed. */
  readonly folder: string;
  /** `dist/cli.js` ... */
  readonly files: readonly string[];
}

/** Installs what the sources say now. */
export async function installPackage(): Promise<InstalledPackage> {
  const scratch = mkdtempSync(join(tmpdir(), 'binnacle-package-'));
  const remove = (): void => rmSync(scratch, { recursive: true, force: true });
  try {
    const { tarball, files } = await packPackage();
    const folder = join(scratch, 'user');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: folder });
    return { folder, files, [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** What npm packs of the current sources. */
export interface PackedPackage {
  readonly tarball: string;
  /** `dist/cli.js` ... */
  readonly files: readonly string[];
}

/** What is compiled, from the root of the checkout. `node_modules` follows from `package-lock.json`. */
const compiled = ['src', 'scripts', 'package-lock.json', 'tsconfig.json', 'tsconfig.types.json'];
/** What is packed as it is. */
const copied = ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'packaging'];
const cache = join(root, 'node_modules', '.cache', 'binnacle-package');

/**
 * The package of the current sources. To build and pack it takes many seconds, so it is cached, by a hash of all that
 * it is made of, for other test files that install it. `dist/`, which other tests use, is left alone.
 */
export async function packPackage(): Promise<PackedPackage> {
  const folder = join(cache, sourcesHash());
  if (!existsSync(folder)) await packInto(folder);
  const files = readFileSync(join(folder, 'files.txt'), 'utf8').split('\n');
  return { tarball: join(folder, 'binnacle.tgz'), files };
}

function sourcesHash(): string {
  const paths = [...compiled, ...copied].flatMap((path) =>
    lstatSync(join(root, path)).isDirectory() ? filesIn(path) : [path],
  );
  const hash = createHash('sha256');
  for (const path of paths.filter((name) => !name.endsWith('.test.ts'))) {
    const bytes = readFileSync(join(root, path));
    hash.update(`${path} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest('hex');
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .toSorted();
}

/** Creates a folder of the cache in one step, as several processes may pack at once, and removes those before it. */
async function packInto(folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const older = readdirSync(cache);
  const scratch = mkdtempSync(`${folder}-`);
  try {
    await packBelow(scratch);
    if (!existsSync(folder)) renameSync(scratch, folder);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const isPackage = (name: string): boolean => /^[\da-f]{64}$/.test(name);
  for (const name of older.filter(isPackage)) rmSync(join(cache, name), { recursive: true, force: true });
}

/** Writes the tarball and the names of its files. */
async function packBelow(folder: string): Promise<void> {
  const checkout = join(folder, 'checkout');
  for (const name of copied) cpSync(join(root, name), join(checkout, name), { recursive: true });
  const dist = join(checkout, 'dist');
  await bundle({ outdir: dist, sourcemap: false });
  writeTypes(dist);
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: checkout });
  const { filename, files } = packedOf(JSON.parse(packed.stdout));
  renameSync(join(checkout, filename), join(folder, 'binnacle.tgz'));
  writeFileSync(join(folder, 'files.txt'), files.map(({ path }) => path).join('\n'));
  rmSync(checkout, { recursive: true });
}

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/** npm lists what it has packed, or names it, depending on its release. */
function packedOf(printed: unknown): Packed {
  const [packed] = Object.values(printed as Record<string, Packed>); // npm's own form
  if (packed === undefined) throw new Error('npm has packed nothing');
  return packed;
}
