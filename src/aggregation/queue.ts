/** Keys to process, one worker per key, retried after failures. */
export interface Queue extends AsyncDisposable {
  start(): void;
  add(key: string): void;
  addAfter(key: string, delayMs: number): void;
}

/** `again`: work that waits for something without events. */
export type QueueWork = (key: string) => Promise<'again' | undefined>;

export type MakeQueue = (options: {
  /** In metrics. */
  readonly name: string;
  readonly work: QueueWork;
  readonly workers: number;
  /** Doubled on each further failure. */
  readonly firstDelayMs: number;
}) => Queue;
