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

/** What a server needs for programs of a cluster to be its clients, each as a user of its own. */
export interface ClusterFiles {
  /** PEM file of who certifies these users. */
  readonly userAuthority: string;
  /** PEM file of the key that signs tokens of service accounts. */
  readonly signingKey: string;
}

/** A server that can be started. Starting on a used directory is a restart. */
export interface Target {
  readonly name: string;
  /** With files of a cluster as in one, with RBAC and service accounts; without, pods need none. */
  start(dataDir: string, cluster?: ClusterFiles): Promise<RunningTarget>;
}
