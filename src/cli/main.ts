import { endWithNpm } from '../../scripts/end-with-npm.mjs';
import { startServer } from '../server/start-server.ts';
import type { Terminal } from './progress-line.ts';
import { runProgram } from './program.ts';
import { releaseMemoryWhenIdle } from './release-memory.ts';
import { stopSignal } from './stop-signal.ts';

/**
 * Called by the launcher. Ends the process, even if handles are still open after a graceful stop. `keepCompiled` writes
 * the compiled code of the bundle for later starts, and is called when the start is complete.
 */
export async function main(args: readonly string[], keepCompiled: () => void): Promise<void> {
  const code = await runProgram(args, {
    startServer,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    terminal: terminal(),
    stopRequested: stopSignal,
    endWithNpm,
    keepCompiled,
    releaseMemory: releaseMemoryWhenIdle,
  });
  process.exit(code);
}

function terminal(): Terminal | undefined {
  const { stderr } = process;
  if (!stderr.isTTY) return undefined;
  return { columns: () => stderr.columns, write: (text) => void stderr.write(text) };
}
