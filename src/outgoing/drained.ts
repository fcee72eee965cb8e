import type { Duplex } from 'node:stream';

const draining = new WeakMap<Duplex, Promise<void>>();

/** Resolves when a connection accepts more data, or is closed. All waiters of a connection share one listener. */
export function drained(socket: Duplex): Promise<void> {
  if (socket.destroyed || !socket.writableNeedDrain) return Promise.resolve();
  const known = draining.get(socket);
  if (known !== undefined) return known;
  const { promise, resolve } = Promise.withResolvers<void>();
  const settle = (): void => {
    socket.off('drain', settle).off('close', settle);
    draining.delete(socket);
    resolve();
  };
  socket.on('drain', settle).on('close', settle);
  draining.set(socket, promise);
  return promise;
}
