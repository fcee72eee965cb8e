import { posix } from 'node:path';

/** The parts of a URL's path as one, as Go joins them: without empty parts, `..`, and a slash at the end. */
export function joinedPath(...parts: readonly string[]): string {
  return posix.join('/', ...parts).replace(/(?<=.)\/$/, '');
}
