import type { PartContext } from '../api/part.ts';
import type { ServerConfig } from './config.ts';

/** Serves profiles at a socket, if one is configured. As in the reference, the server starts without it if it must. */
export async function openDebugSocket({ profiling }: ServerConfig, context: PartContext): Promise<void> {
  const { socketPath } = profiling;
  if (socketPath === undefined) return;
  const { openSocket, profilePages } = await import('../profiling/debug-socket.ts');
  try {
    const socket = await openSocket(socketPath, [profilePages]);
    context.onStop(async () => socket[Symbol.asyncDispose]());
  } catch (error) {
    context.onError(error);
  }
}
