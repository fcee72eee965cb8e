// npm start: installs and builds what is missing, then does what `binnacle` does without a command: see
// src/cli/without-command.ts.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endWithNpm } from './end-with-npm.mjs';
import { currentNodeFits } from './pinned-node.mjs';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main, runNode } from './run-node.mjs';

const launcher = join(root, 'dist', 'binnacle.js');

main(() => {
  prepare();
  // npm puts node_modules/.bin first in PATH, so from the second start on this already is the pinned Node: no second
  // process.
  if (currentNodeFits()) {
    process.argv = [process.execPath, launcher, ...argumentsOfStart()];
    void import(pathToFileURL(launcher).href);
  } else {
    endWithNpm();
    runNode([launcher, ...argumentsOfStart()]);
  }
});

/** `npm start -- serve` does what `npm start` does; only the help of `serve` has a command of its own. */
function argumentsOfStart() {
  const [first, ...flags] = process.argv.slice(2);
  if (first === undefined) return [];
  return first === 'serve' && !/^(-h|--help)$/.test(flags[0] ?? '') ? flags : [first, ...flags];
}
