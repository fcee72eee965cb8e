// node scripts/run.mjs FILE [ARGUMENTS]: runs a program of the project with the pinned Node, after installing and
// building.
import { prepare } from './prepare.mjs';
import { main, runNode } from './run-node.mjs';

main(() => {
  prepare();
  runNode(process.argv.slice(2));
});
