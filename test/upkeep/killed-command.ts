import { once } from 'node:events';
import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnBinnacle } from '../durability/server-process.ts';

/** The part of the work that is done when the command is killed, about: spread evenly, at random within its share. */
export function moments(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (index + Math.random()) / count);
}

/**
 * Runs a command, which changes something below `folder`, and kills it `afterMs` after the first change. Resolves to
 * how long it has worked, and whether it has ended before.
 */
export async function killAfter(
  args: readonly string[],
  folder: string,
  afterMs: number,
): Promise<{ readonly workedMs: number; readonly ended: boolean }> {
  using changes = changesBelow(folder);
  const child = spawnBinnacle(args);
  const exited = once(child, 'exit');
  child.stdout.resume();
  child.stderr.resume();
  await Promise.race([changes.first, exited]);
  const beganMs = performance.now();
  await Promise.race([exited, afterMs === Infinity ? exited : sleep(afterMs)]);
  child.kill('SIGKILL');
  const [code] = await exited;
  return { workedMs: performance.now() - beganMs, ended: code === 0 };
}

function changesBelow(folder: string): Disposable & { readonly first: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, () => resolve());
  return { first: promise, [Symbol.dispose]: () => watcher.close() };
}
