import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

const attachMs = 1_000;

/** Whether `perf` may count here: not every machine lets it. */
export function countsInstructions(): boolean {
  const { status, stderr } = spawnSync('perf', ['stat', '-x', ';', '-e', 'instructions', 'true'], { encoding: 'utf8' });
  return status === 0 && /^\d/m.test(stderr);
}

/**
 * Instructions that all threads of these processes execute meanwhile, in the order of the processes. They hardly depend
 * on what else the machine does.
 */
export async function instructionsDuring(
  pids: readonly number[],
  run: () => Promise<void>,
): Promise<readonly number[]> {
  const counters = pids.map((pid) => {
    const counter = spawn('perf', ['stat', '-x', ';', '-e', 'instructions', '-p', String(pid)], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    counter.stderr.on('data', (data: Buffer) => (output += data.toString()));
    return async () => {
      const closed = once(counter, 'close');
      counter.kill('SIGINT');
      await closed;
      return Number.parseInt(output, 10);
    };
  });
  await delay(attachMs);
  await run();
  return await Promise.all(counters.map((stop) => stop()));
}
