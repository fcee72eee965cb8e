// The release form: one ESM bundle per entry, what all share, chunks that are loaded when they are needed, and the
// launcher.
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { descriptionsSource, readDescriptions } from './descriptions.mjs';
import { endWithNpm } from './end-with-npm.mjs';
import { asKeptScript } from './kept-script.mjs';
import { licensesOf } from './licenses.mjs';
import { mergeChunks } from './merged-chunks.mjs';
import { root } from './root.mjs';

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const entries = {
  cli: 'src/cli/main.ts',
  embed: 'src/embed/index.ts',
  vitest: 'src/fixtures/vitest.ts',
  'node-test': 'src/fixtures/node-test.ts',
  'api-thread': 'src/server/threads/api-thread.ts',
  'storage-worker': 'src/storage/embedded/worker.ts',
  'envtest-etcd': 'src/cli/envtest/etcd-main.ts',
};

/** The first release with what we use of Node: SQLite gives rows as arrays. */
const oldestNode = [22, 16];

/** In front of all that an older Node fails at, which would be explained worse. */
const refuseOlderNode = (refuse) => `const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${oldestNode[0]} || (major === ${oldestNode[0]} && minor < ${oldestNode[1]})) {
  ${refuse}
}
`;
const refusal = `\`Binnacle needs Node ${oldestNode.join('.')} or newer; this is \${process.version}.\``;

/** Compiled code is cached beside the bundle if writable, else in the user's cache directory. */
const launcher = `#!/usr/bin/env node
${refuseOlderNode(`console.error(${refusal});\n  process.exit(1);`)}
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
const [first = 'serve'] = process.argv.slice(2);
const prints = process.argv.some((argument) => /^(-h|--help|--version)$/.test(argument));
if (!prints && (first === 'serve' || first === 'kube-apiserver' || first.startsWith('-'))) enableCompileCache(cache);
const { main } = await import('./cli.js');
const { keepCompiled } = await import('./core.js');
await main(process.argv.slice(2), { keepCompiled, endWithNpm });

${endWithNpm.toString()}
`;

/** CommonJS dependencies ask for built-in modules with \`require\`, which an ES module does not have. */
const banner = `import { createRequire as binnacleCreateRequire } from 'node:module';
const require = binnacleCreateRequire(import.meta.url);`;

/** What `embed.js` loads first: an import is run before what is imported after it. */
const nodeCheck = 'node-check.js';

/** Entries that other programs import. */
const imported = ['embed', 'vitest', 'node-test'];
/**
 * Entries in CommonJS. Jest runs tests where Node imports nothing unless a flag allows it: there, a script does that is
 * run outside.
 */
const inCommonJs = {
  'node-test': `'use strict';
module.exports = require('./node-test.js');
`,
  embed: `'use strict';
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { constants, Script } = require('node:vm');
const outside = (url) =>
  new Script('(url) => import(url)', { importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER })
    .runInThisContext()(url);
const loaded = () =>
  import('./embed.js').catch((error) => {
    if (!String(error?.code).startsWith('ERR_VM_')) throw error;
    return outside(pathToFileURL(join(__dirname, 'embed.js')).href);
  });
exports.startApiServer = async (options) => (await loaded()).startApiServer(options);
`,
};

/** Entries for tests use the server as others do: there is one of it in a process. */
const embedOutside = {
  name: 'embed-outside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/embed\/index\.ts$/ }, () => ({ path: './embed.js', external: true }));
  },
};

/** Named like its map. */
const coreScript = 'core-script.js';

const common = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: `node${oldestNode.join('.')}`,
  logLevel: 'warning',
};

/** Lines of the log tell the line of the sources that they come from: `logSite('stages/httplog.ts:12')`. */
const logSites = {
  name: 'log-sites',
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\](?:api|server|http|admission|outgoing)[/\\].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes(" = logSite('")) return undefined;
      const lines = text.split('\n').map((line, index) => line.replace(/ = logSite\('[^':]+(?=')/, `$&:${index + 1}`));
      return { contents: lines.join('\n'), loader: 'ts' };
    });
  },
};

/** Writes it to `outdir`, anew. Tests add plugins that change what they build, and do without source maps. */
export async function bundle({ outdir, plugins = [], sourcemap = true }) {
  rmSync(outdir, { recursive: true, force: true });
  const options = { ...common, sourcemap };
  // Replaced by what is made of it.
  const parts = join(outdir, 'parts');
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    entryPoints: Object.fromEntries(Object.entries(entries).filter(([, path]) => existsSync(join(root, path)))),
    outdir: parts,
    splitting: true,
    chunkNames: 'chunk-[hash]',
    legalComments: 'none',
    // What describes gRPC services by .proto files at run time: grpc-js asks for it in its own diagnostics only, which
    // we do not start.
    external: ['@grpc/proto-loader', 'vitest'],
    define: { 'process.env.BINNACLE_VERSION': JSON.stringify(version) },
    inject: [join(root, 'scripts', 'disposable-stacks.mjs')],
    plugins: [logSites, embedOutside, ...plugins],
    metafile: true,
  });
  const { outputFiles } = await mergeChunks(metafile.outputs, {
    ...options,
    from: parts,
    outdir,
    external: ['@grpc/proto-loader', 'vitest'],
    banner: { js: banner },
    write: false,
  });
  rmSync(parts, { recursive: true });
  for (const { path, text } of outputFiles) {
    const code = path.endsWith('.js') ? inAscii(withBuiltIns(text)) : text;
    // On the first line, so that the map stays true.
    const file = imported.includes(basename(path, '.js')) ? `import './${nodeCheck}'; ${code}` : code;
    if (basename(path) !== 'core.js') {
      writeFileSync(path, file);
      continue;
    }
    const { script, module } = asKeptScript(file, coreScript);
    writeFileSync(join(outdir, coreScript), script);
    writeFileSync(path, module);
  }
  writeFileSync(join(outdir, 'descriptions.json'), JSON.stringify(readDescriptions()));
  writeFileSync(join(outdir, 'licenses.txt'), licensesOf([...Object.keys(metafile.inputs), descriptionsSource]));
  for (const [entry, text] of Object.entries(inCommonJs)) writeFileSync(join(outdir, `${entry}.cjs`), text);
  writeFileSync(join(outdir, nodeCheck), refuseOlderNode(`throw new Error(${refusal});`));
  writeFileSync(join(outdir, 'binnacle.js'), withBuiltIns(launcher));
  chmodSync(join(outdir, 'binnacle.js'), 0o755);
}

/**
 * An ES module that imports a built-in module makes Node read everything that it exports, and load what stands behind:
 * a tenth of a start. So built-in modules are asked for by name, and only what is used of them is read.
 */
function withBuiltIns(text) {
  return text.replace(/^import ([^'";]+) from (["']node:[\w/]+["']);$/gm, (_line, what, module) => {
    // `{ a as b }`, `whole` or `* as whole`; both kinds stand with a comma between.
    const [, whole = '', , some = ''] = /^(?:\* as )?(\w*)(, )?(.*)$/s.exec(what) ?? [];
    // A module may have imported `process` by that name.
    const value = `globalThis.process.getBuiltinModule(${module})`;
    const names = [whole, some.replaceAll(' as ', ': ')].filter((name) => name !== '');
    return names.map((name) => `const ${name} = ${value};`).join(' ');
  });
}

/** A single other character, and V8 keeps the text of a whole file in two bytes per character. */
function inAscii(text) {
  return text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
