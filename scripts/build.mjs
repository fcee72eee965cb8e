// Writes the release form to dist/.
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { root } from './root.mjs';

await bundle({ outdir: join(root, 'dist') });
