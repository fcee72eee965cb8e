// npm start: installs and builds what is missing, then runs the server.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { currentNodeFits } from './pinned-node.mjs';
import { prepare } from './prepare.mjs';
import { root } from './root.mjs';
import { main, runNode } from './run-node.mjs';

const launcher = join(root, 'dist', 'binnacle.js');

main(() => {
  prepare();
  stopWithNpm();
  askForRbac();
  // npm puts node_modules/.bin first in PATH, so from the second start on this already is the pinned Node: no second
  // process.
  if (currentNodeFits()) {
    process.argv[1] = launcher;
    void import(pathToFileURL(launcher).href);
  } else {
    runNode([launcher, ...process.argv.slice(2)]);
  }
});

/** The server, like kube-apiserver, defaults to AlwaysAllow: asks for RBAC unless flags choose a mode. */
function askForRbac() {
  const [first = 'serve'] = process.argv.slice(2);
  const serves = first === 'serve' || first.startsWith('-');
  const chosen = process.argv.some((argument) => /^--authorization[-_](mode|config)\b/.test(argument));
  if (serves && !chosen) process.argv.push('--authorization-mode=RBAC');
}

/**
 * Ending npm ends the server. npm passes signals to the shell that it runs scripts in, but not every shell forwards
 * them to us, so we also stop when that shell is gone.
 */
function stopWithNpm() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  timer.unref();
}
