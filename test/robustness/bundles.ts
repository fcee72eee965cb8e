import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';
import { bundle } from '../../scripts/bundle.mjs';

const root = join(import.meta.dirname, '..', '..');

/** A replacement in the source, made while the bundle is built. */
export interface SourceChange {
  /** Relative to the project root. */
  readonly file: string;
  /** Must occur exactly once. */
  readonly find: string;
  readonly replace: string;
}

export interface Bundle extends AsyncDisposable {
  /** `binnacle.js` */
  readonly launcher: string;
}

/** Builds the release form from the current source, or with changes that exist only in the bundle. */
export async function buildBundle(changes: readonly SourceChange[] = []): Promise<Bundle> {
  const outdir = await mkdtemp(join(tmpdir(), 'binnacle-bundle-'));
  const applied = new Set<SourceChange>();
  // As in the package: the format of a file need not be guessed.
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
  const plugins = changes.map((change) => replacing(change, () => applied.add(change)));
  await bundle({ outdir, plugins, sourcemap: false });
  for (const change of changes) {
    if (!applied.has(change)) throw new Error(`${change.file} is not part of the bundle`);
  }
  return {
    launcher: join(outdir, 'binnacle.js'),
    [Symbol.asyncDispose]: () => rm(outdir, { recursive: true, force: true }),
  };
}

function replacing({ file, find, replace }: SourceChange, onApplied: () => void): Plugin {
  const path = join(root, file);
  return {
    name: `replace in ${file}`,
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, async (loaded) => {
        if (loaded.path !== path) return undefined;
        const source = await readFile(path, 'utf8');
        const parts = source.split(find);
        if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} of: ${find}`);
        onApplied();
        return { contents: parts.join(replace), loader: 'ts' };
      });
    },
  };
}
