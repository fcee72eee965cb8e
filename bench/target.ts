/** What a client needs to speak to a server: most often as its administrator. */
export interface Access {
  readonly url: string;
  readonly ca: string;
  /** With its key; absent: there is a token. */
  readonly cert?: string;
  readonly key?: string;
  readonly token?: string;
}

/** A server that runs. Its processes are all that its figures count. */
export interface RunningTarget {
  readonly access: Access;
  readonly pids: readonly number[];
  /** From the start of its first process to the first 200 of `/readyz`. */
  readonly startMs: number;
  stop(): Promise<void>;
  /** Starts the controllers that do not run in the server; undefined when it runs its own. */
  readonly startControllers?: () => Promise<RunningControllers>;
}

export interface RunningControllers {
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server that can be started. A start on a folder that was used before is a later start. */
export interface Target {
  readonly name: string;
  start(dataDir: string): Promise<RunningTarget>;
}
