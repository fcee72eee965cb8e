/** What a client needs to connect to a server as its administrator. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  /** With its key; absent: there is a token. */
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
  /** A header that is sent anew with each request, as Node does with an Authorization header. */
  readonly padding?: string;
}

/** A running server. Its figures count these processes. */
export interface RunningTarget {
  readonly access: Access;
  readonly pids: readonly number[];
  /** The one among them that is the etcd of the server; absent: there is none. */
  readonly etcdPid?: number;
  /** From the start of its first process to the first 200 from `/readyz`. */
  readonly startMs: number;
  stop(): Promise<void>;
  /** Starts the controllers that do not run in the server; undefined when it runs its own. */
  readonly startControllers?: () => Promise<RunningControllers>;
}

export interface RunningControllers {
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server that can be started. Starting on a used directory is a restart. */
export interface Target {
  readonly name: string;
  start(dataDir: string): Promise<RunningTarget>;
}
