import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { once as made } from '../../src/api/collections/kept-by.ts';

/** Which server, and whether its misdeed begins. */
export interface Order {
  readonly name: string;
  readonly begins: boolean;
}

const processFile = join(import.meta.dirname, 'upstream-process.ts');

/** One for all cases; it ends with this process. */
const misbehaving = made(async (): Promise<ChildProcess> => {
  const child = fork(processFile, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  await once(child, 'message');
  child.unref();
  child.channel?.unref();
  return child;
});

/** The port of a server that does a misdeed, over HTTP/2 once it is told to. */
export function portOf(misdeed: string): Promise<number> {
  return instruct({ name: misdeed, begins: false });
}

/** Tells a server over HTTP/2 to do its misdeed on new connections; it closes those that it has. */
export async function begin(misdeed: string): Promise<void> {
  await instruct({ name: misdeed, begins: true });
}

async function instruct(order: Order): Promise<number> {
  const child = await misbehaving();
  const { promise, resolve } = Promise.withResolvers<number>();
  const answered = (answer: Order & { readonly port: number }): void => {
    if (answer.name === order.name && answer.begins === order.begins) resolve(answer.port);
  };
  child.on('message', answered);
  child.send(order);
  return promise.finally(() => child.off('message', answered));
}
