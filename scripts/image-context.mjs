// Writes what an image is built from (packaging/Containerfile) to a folder: the release form, Node, and the system
// libraries that Node needs. There is no base image.
//
//   node scripts/image-context.mjs FOLDER
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { bundle } from './bundle.mjs';
import { findNode } from './pinned-node.mjs';
import { root } from './root.mjs';

/** Loaded by glibc when it resolves the first name, so that no program names them. Newer ones contain them. */
const resolvers = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];

const systemFiles = {
  'etc/passwd': 'binnacle:x:65532:65532::/data:/\n',
  'etc/group': 'binnacle:x:65532:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
};

/** Throws unless the folder is empty or missing. */
export async function writeImageContext(folder) {
  if (process.platform !== 'linux') throw new Error('An image contains libraries of Linux, so make it on Linux.');
  mkdirSync(join(folder), { recursive: true });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  mkdirSync(join(folder, 'data'));
  const system = join(folder, 'root');
  const place = (from, path) => {
    const to = join(system, path);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to);
  };
  const node = findNode();
  place(node, 'usr/bin/node');
  for (const library of librariesOf(node)) place(library, library);
  for (const name of ['package.json', 'LICENSE']) place(join(root, name), join('usr/lib/binnacle', name));
  await bundle({ outdir: join(system, 'usr/lib/binnacle/dist'), sourcemap: false });
  mkdirSync(join(system, 'etc'));
  for (const [path, text] of Object.entries(systemFiles)) writeFileSync(join(system, path), text);
  copyFileSync(join(root, 'packaging', 'Containerfile'), join(folder, 'Containerfile'));
}

/** Absolute paths, as the program looks for them. */
function librariesOf(program) {
  const printed = execFileSync('ldd', [program], { encoding: 'utf8' });
  const found = [...printed.matchAll(/(\/\S+) \(0x/g)].map(([, path]) => path);
  const folder = dirname(found.find((path) => path.includes('/libc.so')) ?? '/');
  return [...found, ...resolvers.map((name) => join(folder, name)).filter((path) => existsSync(path))];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) {
    console.error('usage: node scripts/image-context.mjs FOLDER');
    process.exit(2);
  }
  await writeImageContext(resolve(folder));
}
