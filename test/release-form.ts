import { dirname, join } from 'node:path';
import { prepare } from '../scripts/prepare.mjs';

/** `binnacle.js` of the current sources: starting it takes a tenth of what loading the sources takes. */
export const launcher = join(import.meta.dirname, '..', 'dist', 'binnacle.js');

/** What the threads of such a server run. */
export const threadModule = join(dirname(launcher), 'api-thread.js');

/** vitest calls this once, before any test of a project that starts servers. */
export const setup = prepare;
