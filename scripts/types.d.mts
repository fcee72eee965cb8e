/** Writes the types of the package's entries, `embed.d.ts` ..., to a folder. */
export function writeTypes(outdir: string): void;
