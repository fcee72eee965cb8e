// npm test [-- ARGUMENTS]: all tests; arguments go to vitest.
import { join } from 'node:path';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main, runNode } from './run-node.mjs';

main(() => {
  prepare();
  runNode([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...process.argv.slice(2)], { cwd: root });
});
