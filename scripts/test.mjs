// npm test [-- ARGUMENTS]: all tests; arguments go to vitest.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main, runNode } from './run-node.mjs';

main(() => {
  prepare();
  // Also in processes that tests start.
  if (process.env.BINNACLE_STALL_GUARD) {
    const guard = pathToFileURL(join(root, 'test', 'hostile', 'stall-guard.ts'));
    process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${guard}`;
  }
  runNode([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)], { cwd: root });
});
