/** A part of a request that has ended. Times are `performance.now()`. */
export interface RequestStep {
  readonly name: string;
  readonly endedMs: number;
  /** Of calls to other servers. */
  readonly call?: { readonly beganMs: number; readonly about: Readonly<Record<string, string>> };
}
