import { startServer } from '../server/start-server.ts';
import { releaseMemoryWhenIdle } from '../server/threads/release-memory.ts';
import type { Terminal } from './progress-line.ts';
import { runProgram } from './program.ts';
import { stopSignal } from './stop-signal.ts';

/** What the launcher knows. */
interface LauncherParts {
  /** Writes the compiled code of the bundle for later starts; called when the start is complete. */
  readonly keepCompiled: () => void;
  /** Stops the process when npm, below which it runs, has ended. */
  readonly endWithNpm: () => void;
}

/** Called by the launcher. Ends the process, even if handles are still open after a graceful stop. */
export async function main(args: readonly string[], { keepCompiled, endWithNpm }: LauncherParts): Promise<void> {
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
