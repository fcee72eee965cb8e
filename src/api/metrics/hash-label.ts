import { createHash } from 'node:crypto';

/** What metrics and messages tell of a text that they do not show. */
export function hashOf(text: string): string {
  return text === '' ? '' : `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
