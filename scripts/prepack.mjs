// What npm packs: the release form, and the types of its entry.
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { root } from './root.mjs';
import { writeTypes } from './types.mjs';

const outdir = join(root, 'dist');
await bundle({ outdir, sourcemap: false });
writeTypes(outdir);
