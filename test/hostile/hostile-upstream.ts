import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { once as made } from '../../src/api/kept-by.ts';

const processFile = join(import.meta.dirname, 'upstream-process.ts');

/** One for all cases; it ends with this process. */
const misbehaving = made(async (): Promise<ChildProcess> => {
  const child = fork(processFile, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  child.unref();
  child.channel?.unref();
  return child;
});

/** The port of a server that does a misdeed. */
export async function portOf(misdeed: string): Promise<number> {
  const child = await misbehaving();
  const { promise, resolve } = Promise.withResolvers<number>();
  const told = (answer: { readonly name: string; readonly port: number }): void => {
    if (answer.name === misdeed) resolve(answer.port);
  };
  child.on('message', told);
  child.send(misdeed);
  return promise.finally(() => child.off('message', told));
}
