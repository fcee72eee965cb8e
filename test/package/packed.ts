import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
    const { tarball, files } = await packPackage(scratch);
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

/** Packs what the sources say now below a folder, and leaves `dist/`, which other tests use, alone. */
export async function packPackage(
  scratch: string,
): Promise<{ readonly tarball: string; readonly files: readonly string[] }> {
  const checkout = join(scratch, 'checkout');
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE', 'packaging'])
    cpSync(join(root, name), join(checkout, name), { recursive: true });
  const dist = join(checkout, 'dist');
  await bundle({ outdir: dist, sourcemap: false });
  writeTypes(dist);
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json'], { cwd: checkout });
  const { filename, files } = packedOf(JSON.parse(packed.stdout));
  return { tarball: join(checkout, filename), files: files.map(({ path }) => path) };
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
