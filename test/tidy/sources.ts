import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const root = dirname(dirname(import.meta.dirname));

/** All files tracked by git or new, by path from the root. */
export function projectFiles(): readonly string[] {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root });
  return [...new Set(output.toString('utf8').split('\0'))].filter((path) => path !== '' && exists(path));
}

/** A file may be deleted without the deletion being committed. */
function exists(path: string): boolean {
  return readText(path) !== undefined;
}

/** Undefined for missing files and folders (or links to one). */
export function readText(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // the only errors that fs throws
    if (code === 'ENOENT' || code === 'EISDIR') return undefined;
    throw error;
  }
}

const importPattern =
  /^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"](\.[^'"]+)['"]|\bimport\(\s*['"](\.[^'"]+)['"]\s*\)/gm;

/** The files that a file imports by relative path, relative to the root. */
export function importsOf(path: string): readonly string[] {
  const text = readText(path) ?? '';
  return [...text.matchAll(importPattern)].map(([, fixed, dynamic]) => join(dirname(path), fixed ?? dynamic ?? ''));
}
