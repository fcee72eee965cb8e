import { startServer } from '../server/start-server.ts';
import { runProgram } from './program.ts';
import { stopSignal } from './stop-signal.ts';

/** Called by the launcher. Ends the process, even if handles are still open after a graceful stop. */
export async function main(args: readonly string[]): Promise<void> {
  const code = await runProgram(args, {
    startServer,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
    stopRequested: stopSignal,
  });
  process.exit(code);
}
