import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  constants,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { type ProgramScript, scriptText } from './program-scripts.ts';

/**
 * Writes the programs to a folder of the user's cache and returns its path. What is written tells the folder, so that
 * all suites of a release share one, and no release changes that of another.
 */
export function writeProgramsFolder(scripts: readonly ProgramScript[], environment: NodeJS.ProcessEnv): string {
  const texts = scripts.map((script) => ({ name: script.name, text: scriptText(script) }));
  const kubectl = findKubectl(environment);
  const digest = createHash('sha256')
    .update(JSON.stringify([texts, kubectl]))
    .digest('hex')
    .slice(0, 16);
  const folder = join(writableCache(environment), digest);
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of texts) {
    replace(join(folder, name), executableText, text, (path) => writeFileSync(path, text, { mode: 0o755 }));
  }
  if (kubectl !== undefined)
    replace(join(folder, 'kubectl'), realpathOf, kubectl, (path) => symlinkSync(kubectl, path));
  return folder;
}

/** At once: other suites may just now start the file that stands there. */
function replace(path: string, read: (path: string) => string, wanted: string, write: (path: string) => void): void {
  try {
    if (read(path) === wanted) return;
  } catch {
    // It is missing, or something else.
  }
  const written = `${path}.${randomUUID()}`;
  write(written);
  renameSync(written, path);
}

function executableText(path: string): string {
  accessSync(path, constants.X_OK);
  return readFileSync(path, 'utf8');
}

function realpathOf(path: string): string {
  return realpathSync(path);
}

/** The machine's, if it has one. */
function findKubectl({ PATH = '' }: NodeJS.ProcessEnv): string | undefined {
  for (const folder of PATH.split(delimiter)) {
    const path = join(folder, 'kubectl');
    try {
      accessSync(path, constants.X_OK);
      return realpathSync(path);
    } catch {
      // Not here.
    }
  }
  return undefined;
}

/** The user's cache, or a temporary folder of the user where there is none. */
function writableCache({ XDG_CACHE_HOME: cache }: NodeJS.ProcessEnv): string {
  const places = [
    join(cache === undefined || cache === '' ? join(homedir(), '.cache') : cache, 'binnacle', 'envtest'),
    join(tmpdir(), `binnacle-envtest-${userInfo().uid}`),
  ];
  for (const place of places.slice(0, -1)) {
    try {
      mkdirSync(place, { recursive: true });
      accessSync(place, constants.W_OK);
      return place;
    } catch {
      // Read-only, or no home.
    }
  }
  return places.at(-1) ?? dirname(tmpdir());
}
