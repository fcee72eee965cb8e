import { pod } from '../text-bodies.ts';

/** A place in an object that accepts a string of any length. */
export interface TextField {
  readonly what: string;
  readonly path: string;
  /** With `HOLE` in place of the string. */
  readonly document: object;
  /** Patterns specific to this place, repeated to full length, besides those tried everywhere. */
  readonly texts?: readonly string[];
  /** A prefix before the repeated pattern, such as the beginning of a URL. */
  readonly prefix?: string;
}

/** The placeholder for the string. */
export const hole = 'HOLE';

export const container = (parts: object): object => pod({ containers: [{ name: 'a', image: 'a', ...parts }] });

export function object(apiVersion: string, kind: string, parts: object): object {
  return { apiVersion, kind, metadata: { name: 'hostile' }, ...parts };
}
