import { pod } from '../text-bodies.ts';

/** A place of an object where a text of any length can stand. */
export interface Place {
  readonly what: string;
  readonly path: string;
  /** With `HOLE` where the text goes. */
  readonly document: object;
  /** Texts that mean something here, repeated to full length, beside those that are tried everywhere. */
  readonly texts?: readonly string[];
  /** What stands before the repeated text, such as the beginning of a URL. */
  readonly prefix?: string;
}

/** Where the text goes. */
export const hole = 'HOLE';

export const container = (parts: object): object => pod({ containers: [{ name: 'a', image: 'a', ...parts }] });

export function object(apiVersion: string, kind: string, parts: object): object {
  return { apiVersion, kind, metadata: { name: 'hostile' }, ...parts };
}
