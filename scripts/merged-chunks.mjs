// What every start loads, in one file.
import { basename, join } from 'node:path';
import { build } from 'esbuild';

/**
 * esbuild makes a chunk of whatever the same entries and lazily imported files share, so that a start would read some
 * fifty files. Those that both `cli` and `embed` load become one, `core.js`, which offers what each of them does under
 * names of its own; others import from that. What the worker loads stays by itself. `outputs` are those of the metafile
 * of a build to `from`.
 */
export async function mergeChunks(outputs, { from, ...options }) {
  const graph = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const [cli, embed, worker] = ['cli.js', 'embed.js', 'storage-worker.js'].map((entry) => loadedWith(graph, entry));
  const core = [...cli].filter((file) => embed.has(file) && !worker.has(file));
  const others = [...graph.keys()].filter((file) => file.endsWith('.js') && !core.includes(file));
  const exportsOf = (file) => graph.get(file).exports;
  const nameInCore = (file, name) => `${name}$${core.indexOf(file)}`;
  const part = (file, names) => `export { ${names.join(', ')} } from ${JSON.stringify(file)};\n`;
  const contents = {
    core: () =>
      core.map((file) =>
        part(
          `./${file}`,
          exportsOf(file).map((name) => `${name} as ${nameInCore(file, name)}`),
        ),
      ),
    inCore: (file) => [
      part(
        './core.js',
        exportsOf(file).map((name) => `${nameInCore(file, name)} as ${name}`),
      ),
    ],
  };
  const merging = {
    name: 'merging',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^core$/ }, () => ({ path: 'core', namespace: 'core' }));
      onResolve({ filter: /^\.\/[^/]+\.js$/ }, ({ path, importer, namespace }) => {
        const file = basename(path);
        const withinCore = namespace === 'core' || core.includes(basename(importer));
        if (!core.includes(file)) return { path, external: true };
        return withinCore ? { path: join(from, file) } : { path: file, namespace: 'in-core' };
      });
      onLoad({ filter: /./, namespace: 'core' }, () => ({ contents: contents.core().join(''), resolveDir: from }));
      onLoad({ filter: /./, namespace: 'in-core' }, ({ path }) => ({ contents: contents.inCore(path).join('') }));
    },
  };
  const entryPoints = {
    core: 'core',
    ...Object.fromEntries(others.map((file) => [file.slice(0, -3), join(from, file)])),
  };
  return await build({ ...options, entryPoints, bundle: true, plugins: [merging] });
}

/** A file and all that loading it loads. */
function loadedWith(graph, entry) {
  const loaded = new Set();
  const left = [entry];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    loaded.add(file);
    for (const { path, kind, external } of graph.get(file).imports) {
      if (kind === 'import-statement' && !external && !loaded.has(basename(path))) left.push(basename(path));
    }
  }
  loaded.delete(entry);
  return loaded;
}
