/** Cases that differ from the reference, by their keys. */
export const knownDifferences: readonly { readonly cases: RegExp; readonly why: string }[] = [];
