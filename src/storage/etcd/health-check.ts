/** Queries etcd, with a deadline. Rejects without a response. */
export type Probe = (untilMs: number) => Promise<unknown>;

/**
 * A check that queries etcd at most twice per timeout, however often it is called: other calls get the result of the
 * last completed one. Throws `error getting data from etcd: ...`.
 */
export function healthCheck(probe: Probe, timeoutMs: number, now = () => performance.now()): () => Promise<void> {
  let askedMs = -Infinity;
  let failure: Error | undefined = new Error('etcd client connection not yet established');
  return async () => {
    const startedMs = now();
    if (startedMs - askedMs >= timeoutMs / 2) {
      askedMs = startedMs;
      const found = await probe(startedMs + timeoutMs).then(
        () => undefined,
        (error: unknown) => new Error(`error getting data from etcd: ${String(error)}`, { cause: error }),
      );
      if (askedMs === startedMs) failure = found;
      if (found !== undefined) throw found;
    } else if (failure !== undefined) {
      throw failure;
    }
  };
}
