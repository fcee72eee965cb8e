import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findNode } from './pinned-node.mjs';

const forwardedSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs the pinned Node with these arguments; forwards signals and its exit code. */
export function runNode(args, options = {}) {
  const child = spawn(findNode(), args, { stdio: 'inherit', ...options });
  for (const signal of forwardedSignals) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** Runs a script's body; errors become one line and exit code 1. */
export function main(body) {
  try {
    body();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
