/** What a client needs to connect to a server as its administrator. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** A running server. Its figures count these processes. */
export interface RunningTarget {
  readonly access: Access;
  readonly pids: readonly number[];
  /** From the start of its first process to the first 200 from `/readyz`. */
  readonly startMs: number;
  stop(): Promise<void>;
}

/** A server that can be started. Starting on a used directory is a restart. */
export interface Target {
  readonly name: string;
  start(dataDir: string): Promise<RunningTarget>;
}
