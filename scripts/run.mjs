// node scripts/run.mjs FILE [ARGUMENTS]: runs one of the project's programs with the pinned Node, installed and built.
import { prepare } from './prepare.mjs';
import { main, runNode } from './run-node.mjs';

main(() => {
  prepare();
  runNode(process.argv.slice(2));
});
