/** A list or map of a kind to be filled. */
export interface KindRow {
  readonly name: string;
  readonly path: string;
  /** With `HOLE` in place of the list or map. */
  readonly document: object;
  readonly item: string | ((index: number) => string);
  /** A map, whose items are members. */
  readonly map?: boolean;
  readonly bytes?: number;
}

export const object = (apiVersion: string, kind: string, parts: object): object => ({
  apiVersion,
  kind,
  metadata: { name: 'hostile' },
  ...parts,
});
