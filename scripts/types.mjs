// The types of the package's only entry. Part of packing; not needed in the checkout.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findNode } from './pinned-node.mjs';
import { root } from './root.mjs';

/** Writes `embed.d.ts` to a folder. */
export function writeTypes(outdir) {
  const folder = mkdtempSync(join(tmpdir(), 'binnacle-types-'));
  try {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const args = [compiler, '-p', 'tsconfig.types.json', '--outDir', folder];
    const { status } = spawnSync(findNode(), args, { cwd: root, stdio: ['ignore', 2, 2] });
    if (status !== 0) throw new Error('the types cannot be written');
    const text = readFileSync(join(folder, 'src', 'embed', 'index.d.ts'), 'utf8');
    // Other declarations are not in the package.
    if (/\bfrom ['"]|\bimport\(/.test(text)) throw new Error('the entry shows types of other files');
    writeFileSync(join(outdir, 'embed.d.ts'), text);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
