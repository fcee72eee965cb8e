import { join } from 'node:path';
import type * as embed from '../src/embed/index.ts';

// A process with several servers, in their release form: the options of each are an argument, as JSON.

// The type checker knows the module by its source alone.
const { startApiServer } = (await import(join(import.meta.dirname, '../dist/embed.js'))) as typeof embed;
for (const options of process.argv.slice(2)) await startApiServer(JSON.parse(options) as embed.ApiServerOptions);
// At an exit V8 writes what `--cpu-prof` has collected.
process.once('SIGTERM', () => process.exit());
