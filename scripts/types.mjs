// The types of the package's entries. Part of packing; not needed in the checkout.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from './pinned-node.mjs';
import { root } from './root.mjs';

const entries = [
  { name: 'embed', source: ['embed', 'index'], inCommonJs: true },
  { name: 'node-test', source: ['fixtures', 'node-test'], inCommonJs: true },
  { name: 'vitest', source: ['fixtures', 'vitest'], inCommonJs: false },
];

/**
 * Writes `embed.d.ts` and those of other entries to a folder; for programs in CommonJS, `embed.d.cts` ... Whether the
 * sources are well typed is checked by `npm run check`, and takes most of the time of a compilation.
 */
export function writeTypes(outdir) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-types-'));
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, '-p', 'tsconfig.types.json', '--outDir', folder];
    const { status } = spawnSync(findNode(), args, { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('the types cannot be written');
    for (const { name, source, inCommonJs } of entries) {
      const text = readFileSync(`${join(folder, 'src', ...source)}.d.ts`, 'utf8');
      writeFileSync(join(outdir, `${name}.d.ts`), withEntry(text, './embed.js'));
      if (inCommonJs) writeFileSync(join(outdir, `${name}.d.cts`), withEntry(text, './embed.cjs'));
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Declarations of other files are not in the package. */
function withEntry(text, entry) {
  const types = text.replaceAll("'../embed/index.ts'", `'${entry}'`);
  const others = [...types.matchAll(/\b(?:from |import\()['"]([^'"]+)/g)].map(([, module]) => module);
  const foreign = others.find((module) => module !== entry && module !== 'vitest');
  if (foreign !== undefined) throw new Error(`an entry shows types of ${foreign}`);
  return types;
}
