import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Plugin, PluginBuild } from 'esbuild';
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
  /** As `binnacle.js`, with the change. */
  launcherWith(change: SourceChange): string;
}

/** The change that a process of the bundle runs with: its number, counted from 1. */
const variable = 'BINNACLE_SOURCE_CHANGE';

/** Builds the release form from the current source, and with changes that only processes have that ask for one. */
export async function buildBundle(changes: readonly SourceChange[] = []): Promise<Bundle> {
  const outdir = await mkdtemp(join(tmpdir(), 'binnacle-bundle-'));
  const applied = new Set<SourceChange>();
  // As in the package: the format of a file need not be guessed.
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
  await bundle({ outdir, plugins: [choosing(changes, (change) => applied.add(change))], sourcemap: false });
  for (const [index, change] of changes.entries()) {
    if (!applied.has(change)) throw new Error(`${change.file} is not part of the bundle`);
    const program = `process.env.${variable} = '${index + 1}';\nawait import('./binnacle.js');\n`;
    await writeFile(join(outdir, nameWith(index)), program);
  }
  return {
    launcher: join(outdir, 'binnacle.js'),
    launcherWith: (change) => join(outdir, nameWith(changes.indexOf(change))),
    [Symbol.asyncDispose]: () => rm(outdir, { recursive: true, force: true }),
  };
}

function nameWith(index: number): string {
  return `binnacle-${index + 1}.js`;
}

/**
 * A module that is changed is in the bundle once as it is (`?change=0`) and once with each of its changes. Other
 * modules import what the process chooses among these when it loads them.
 */
function choosing(changes: readonly SourceChange[], onApplied: (change: SourceChange) => void): Plugin {
  const changed = new Set(changes.map(({ file }) => join(root, file)));
  return {
    name: 'choosing among changes',
    setup(build) {
      build.onResolve({ filter: /\?change=\d+$/ }, ({ path, resolveDir }) => {
        const [name = '', suffix = ''] = path.split(/(?=\?)/);
        return { path: join(resolveDir, name), suffix };
      });
      build.onLoad({ filter: /\.ts$/ }, async ({ path, suffix }) => {
        if (!changed.has(path)) return undefined;
        const [, number] = /^\?change=(\d+)$/.exec(suffix) ?? [];
        if (number === undefined) return { contents: await chooserOf(path, changes, build), loader: 'js' };
        const source = await readFile(path, 'utf8');
        const change = changes[Number(number) - 1];
        if (change === undefined) return { contents: source, loader: 'ts' };
        onApplied(change);
        return { contents: withChange(source, change), loader: 'ts' };
      });
    },
  };
}

function withChange(source: string, { file, find, replace }: SourceChange): string {
  const parts = source.split(find);
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} of: ${find}`);
  return parts.join(replace);
}

/** What the module at a path exports, as the process chooses. */
async function chooserOf(path: string, changes: readonly SourceChange[], { esbuild }: PluginBuild): Promise<string> {
  const numbers = changes.flatMap(({ file }, index) => (join(root, file) === path ? [index + 1] : []));
  const { metafile } = await esbuild.build({ entryPoints: [path], write: false, metafile: true, format: 'esm' });
  const names = Object.values(metafile.outputs).flatMap((output) => output.exports);
  const imported = [0, ...numbers].map(
    (number) => `import * as change${number} from './${basename(path)}?change=${number}';`,
  );
  const choices = numbers.map((number) => `${number}: change${number}`).join(', ');
  return [
    ...imported,
    `const chosen = { ${choices} }[process.env.${variable}] ?? change0;`,
    ...names.map((name) => `export const ${name} = chosen.${name};`),
  ].join('\n');
}
