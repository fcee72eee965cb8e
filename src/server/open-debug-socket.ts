import { type ChangeableVerbosity, flagPage, isFlagPath } from '../http/routes/debug-flags.ts';
import type { DebugPage } from '../profiling/debug-socket.ts';
import type { PartContext } from '../api/contracts/part.ts';
import type { ServerConfig } from './config.ts';

/**
 * Serves profiles and the verbosity of the log at a socket, if one is configured. As in the reference, the server
 * starts without it if it must.
 */
export async function openDebugSocket(
  { profiling }: ServerConfig,
  context: PartContext,
  verbosity: ChangeableVerbosity,
): Promise<void> {
  const { socketPath } = profiling;
  if (socketPath === undefined) return;
  const { commandLinePage, openSocket, profilePages } = await import('../profiling/debug-socket.ts');
  const flagPages: DebugPage = (request) => (isFlagPath(request.path) ? flagPage(request, verbosity) : undefined);
  try {
    const socket = await openSocket(socketPath, [commandLinePage, profilePages, flagPages]);
    context.onStop(async () => socket[Symbol.asyncDispose]());
  } catch (error) {
    context.onError(error);
  }
}
