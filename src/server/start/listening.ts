import type { WrittenKubeconfig } from '../listening/serving.ts';
import type { ServerThread } from '../server-thread.ts';
import type { OtherThreads } from '../threads/other-threads.ts';
import type { ThreadSurroundings } from './surroundings.ts';

/** Clients can connect. */
export interface ListeningPhase {
  readonly port: number;
  /** That of the administrator. */
  readonly written: WrittenKubeconfig;
  /** Ends what clients are served, on all threads. */
  readonly endServing: () => Promise<unknown>;
}

export interface ListeningPhaseOptions extends Pick<ThreadSurroundings, 'opened'> {
  readonly thread: ServerThread;
  /** Undefined: the first thread is the only one. */
  readonly threads: OtherThreads | undefined;
}

export async function openListeningPhase({ thread, threads, opened }: ListeningPhaseOptions): Promise<ListeningPhase> {
  const port = await thread.listen();
  const endServing = (): Promise<unknown> => threads?.end(thread.end()) ?? thread.end();
  opened.defer(async () => void (await endServing()));
  await threads?.start({ ...thread, ...thread.charges, port, store: thread.ground.store });
  return { port, written: await thread.serving.writeAdminKubeconfig(port), endServing };
}
