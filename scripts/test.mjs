// npm test [-- ARGUMENTS]: the tests for every change, or those that the arguments name; they go to vitest.
// npm run test:all: every test. npm run test:rest: those that npm test leaves out. vitest.config.ts selects.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main, runNode } from './run-node.mjs';

const args = process.argv.slice(2);
if (args[0] === '--all' || args[0] === '--rest') process.env.BINNACLE_TESTS = args.shift().slice('--'.length);

main(() => {
  prepare();
  // Also in processes that tests start.
  if (process.env.BINNACLE_STALL_GUARD) {
    const guard = pathToFileURL(join(root, 'test', 'hostile', 'stall-guard.ts'));
    process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import=${guard}`;
  }
  runNode([join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], { cwd: root });
});
