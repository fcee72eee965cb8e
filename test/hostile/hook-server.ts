import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { once as made } from '../../src/api/collections/kept-by.ts';

/** Where webhooks and issuers misbehave. */
export interface HookServer {
  readonly url: string;
  /** The authority of its certificate; PEM. */
  readonly authority: string;
  /** What happens at the path `/KIND/current` from now on. */
  choose(misdeed: string): Promise<void>;
}

/** One for all cases; it ends with this process. */
export const hookServer = made(async (): Promise<HookServer> => {
  const child: ChildProcess = fork(join(import.meta.dirname, 'hook-process.ts'));
  const [address] = await once(child, 'message');
  child.unref();
  child.channel?.unref();
  return {
    ...(address as Pick<HookServer, 'url' | 'authority'>), // the first that it sends
    async choose(misdeed) {
      child.send(misdeed);
      await once(child, 'message');
    },
  };
});
