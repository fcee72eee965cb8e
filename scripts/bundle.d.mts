import type { Plugin } from 'esbuild';

/** Writes the release form to `outdir`, anew. Tests add plugins that change what they build, and need no maps. */
export function bundle(options: {
  readonly outdir: string;
  readonly plugins?: readonly Plugin[];
  readonly sourcemap?: boolean;
}): Promise<void>;
