/** A part of a request that has ended. Times are `performance.now()`. */
export interface RequestStep {
  readonly name: string;
  readonly endedMs: number;
  /** The call to another server that the step is. */
  readonly call?: { readonly beganMs: number; readonly about: Readonly<Record<string, string>> };
}
