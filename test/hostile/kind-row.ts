/** One list or map of one kind, to be filled. */
export interface KindRow {
  readonly name: string;
  readonly path: string;
  /** With `HOLE` for the list or map. */
  readonly document: object;
  readonly item: string | ((index: number) => string);
  /** Items of a map are members. */
  readonly map?: boolean;
  readonly bytes?: number;
}

export const object = (apiVersion: string, kind: string, parts: object): object => ({
  apiVersion,
  kind,
  metadata: { name: 'hostile' },
  ...parts,
});
