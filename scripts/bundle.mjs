// The release form: one ESM bundle per entry, shared chunks, and the launcher.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readDescriptions } from './descriptions.mjs';
import { root } from './root.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const entries = {
  cli: 'src/cli/main.ts',
  embed: 'src/embed/index.ts',
  'storage-worker': 'src/storage/embedded/worker.ts',
};

/** Compiled code is cached beside the bundle if writable, else in the user's cache directory. */
const launcher = `#!/usr/bin/env node
import { accessSync, constants } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

const here = import.meta.dirname;
let cache = join(here, '.cache');
try {
  accessSync(here, constants.W_OK);
} catch {
  cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'binnacle');
}
enableCompileCache(cache);
const { main } = await import('./cli.js');
await main(process.argv.slice(2));
`;

/** CommonJS dependencies ask for built-in modules with \`require\`, which an ES module does not have. */
const banner = `import { createRequire as binnacleCreateRequire } from 'node:module';
const require = binnacleCreateRequire(import.meta.url);`;

/** Writes it to `outdir`, replacing the contents; tests add plugins that modify the source. */
export async function bundle({ outdir, plugins = [] }) {
  rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(join(root, path)))),
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    chunkNames: 'chunk-[hash]',
    sourcemap: true,
    legalComments: 'linked',
    // Loads .proto files at run time; grpc-js only uses it in its own diagnostics, which we do not start.
    external: ['@grpc/proto-loader'],
    banner: { js: banner },
    define: { 'process.env.BINNACLE_VERSION': JSON.stringify(version) },
    plugins: [...plugins],
    logLevel: 'warning',
  });
  writeFileSync(join(outdir, 'descriptions.json'), JSON.stringify(readDescriptions()));
  writeFileSync(join(outdir, 'binnacle.js'), launcher);
  chmodSync(join(outdir, 'binnacle.js'), 0o755);
}
