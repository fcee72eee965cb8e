// An ES module as a script whose compiled code is kept with all functions that a start calls.
import { createHash } from 'node:crypto';
import { Script } from 'node:vm';

/**
 * Node's compile cache holds what a module is compiled to when it is loaded: functions that are compiled when they are
 * first called are not in it, and every start compiled some 1,500. Of a script, V8 gives the code of these as well, so
 * the module becomes one (`script`, to be written as `scriptName`) behind a module that exports the same and
 * `keepCompiled` (`module`). Lines keep their numbers.
 */
export function asKeptScript(text, scriptName) {
  const imported = [];
  const named = (list) => list.replaceAll(/\s+/g, ' ').replaceAll(' as ', ': ').trim();
  const withoutImports = text.replace(/^import \{([^}]*)\} from ("[^"]+");$/gm, (statement, list, from) => {
    imported.push({ names: named(list), from });
    return statement.replaceAll(/[^\n]/g, '');
  });
  let exported;
  const body = withoutImports.replace(/^export \{([^}]*)\};$/m, (_statement, list) => {
    exported = list.split(',').map((item) => item.trim().split(' as '));
    return '';
  });
  const bindings = imported.map(({ names }, index) => `const { ${names} } = imported[${index}];`).join(' ');
  const results = exported.map(([local, name = local]) => `${name}: ${local}`).join(', ');
  const inner = body
    .replaceAll('import.meta', 'importMeta')
    .replaceAll(/\bimport\((?=")/g, 'importModule(')
    .replace(/\n(?=\/\/# sourceMappingURL)|$/, () => {
      return `\nreturn { ${results} };\n})\n`;
    });
  const script = `(function (importMeta, importModule, imported) { "use strict"; ${bindings} ${inner}`;
  // What only modules may contain fails here and not at a start, or later.
  void new Script(script);
  const other = /\bimport\(.*/.exec(script);
  if (other !== null) throw new SyntaxError(`a script cannot import by itself: ${other[0]}`);
  const names = exported.map(([local, name = local]) => name).join(', ');
  const hash = createHash('sha256').update(script).digest('hex').slice(0, 16);
  return { script, module: loader({ imported, names, hash, scriptName }) };
}

/** A function of the module, which loads only built-in modules before the script. */
const readFile = `/**
 * Into memory of its own, which \`free\` returns to the system. Ordinary buffers of some megabytes leave holes in the
 * heap of malloc, which raises its threshold for such memory when the first one is freed: 13 MiB in each thread.
 */
function readFile(path) {
  const file = fs.openSync(path);
  try {
    const { size } = fs.fstatSync(file);
    const memory = new ArrayBuffer(size, { maxByteLength: size });
    const bytes = Buffer.from(memory, 0, size);
    for (let at = 0, read = -1; at < size && read !== 0; at += read) read = fs.readSync(file, bytes, { offset: at });
    return { bytes, free: () => memory.resize(0) };
  } finally {
    fs.closeSync(file);
  }
}`;

/** The cache has a checksum, because V8 has none and the file may be torn by a power failure. */
const loader = ({ imported, names, hash, scriptName }) => `${imported
  .map(({ from }, index) => `import * as imported${index} from ${from};\n`)
  .join('')}const fs = process.getBuiltinModule('node:fs');
const { getCompileCacheDir } = process.getBuiltinModule('node:module');
const { join } = process.getBuiltinModule('node:path');
const { Script } = process.getBuiltinModule('node:vm');
const { crc32 } = process.getBuiltinModule('node:zlib');

const checksumBytes = 4;
const filename = join(import.meta.dirname, '${scriptName}');
const folder = getCompileCacheDir();
const kept = folder === undefined ? undefined : join(folder, '${hash}');
const text = readFile(filename);
const cache = readKept();
// The build leaves only ASCII in it.
const script = new Script(text.bytes.latin1Slice(), { filename, cachedData: cache?.data });
const isKept = cache !== undefined && !script.cachedDataRejected;
text.free();
cache?.file.free();
// What a script imports by itself is an experiment of Node.
const importModule = (specifier) => import(specifier);

${readFile}

function readKept() {
  if (kept === undefined) return undefined;
  let file;
  try {
    file = readFile(kept);
  } catch {
    return undefined;
  }
  // At the beginning, since V8 copies data that is not aligned.
  const length = file.bytes.length - checksumBytes;
  const data = file.bytes.subarray(0, Math.max(length, 0));
  if (length > 0 && crc32(data) === file.bytes.readUInt32LE(length)) return { file, data };
  file.free();
  return undefined;
}

/** Keeps the code of all functions called so far, unless there is some. */
export function keepCompiled() {
  if (kept === undefined || isKept) return;
  const data = script.createCachedData();
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(data));
  const unfinished = \`\${kept}.\${process.pid}\`;
  try {
    fs.writeFileSync(unfinished, Buffer.concat([data, checksum]), { mode: 0o600 });
    fs.renameSync(unfinished, kept);
  } catch {
    // A full or read-only disk: the next start compiles again.
  }
}

export const { ${names} } = script.runInThisContext()(import.meta, importModule, [${imported.map((_, index) => `imported${index}`).join(', ')}]);
`;
