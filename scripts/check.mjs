// npm run check: everything that must hold before a change lands. All steps run, so that one run reports all findings.
// -- --static skips the tests, if they run elsewhere.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { findNode } from './pinned-node.mjs';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main } from './run-node.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);

const staticSteps = [
  { name: 'types', args: [bin('typescript', 'bin', 'tsc'), '-p', '.'] },
  { name: 'lint', args: [bin('oxlint', 'bin', 'oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', args: [bin('oxfmt', 'bin', 'oxfmt'), '--check'] },
];
const tests = { name: 'tidy and unit tests', args: [bin('vitest', 'vitest.mjs'), 'run', '--project', 'unit'] };
const steps = process.argv.includes('--static') ? staticSteps : [...staticSteps, tests];

main(() => {
  prepare();
  const node = findNode();
  const failed = steps.filter(({ name, args }) => {
    const started = performance.now();
    const { status } = spawnSync(node, args, { cwd: root, stdio: 'inherit' });
    console.log(
      `${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
    );
    return status !== 0;
  });
  if (failed.length > 0) throw new Error(`check failed: ${failed.map(({ name }) => name).join(', ')}`);
});
