import type { HostileClient, HostileRequest, Reply } from './hostile-client.ts';

/** The requests of one client, and the expected outcome. */
export interface HostileCase {
  readonly name: string;
  /** Only run by hand, with `--long`. */
  readonly long?: boolean;
  /** Total size of the concurrent requests: the server's memory limit is proportional to it. */
  readonly bodyBytes: number;
  /** Flags of a server of its own, which cases with the same function share; files may be written to `folder`. */
  readonly configure?: (folder: string) => Promise<readonly string[]>;
  /** Set-up, not measured. */
  readonly prepare?: (client: HostileClient) => Promise<unknown>;
  readonly send: (client: HostileClient) => Promise<readonly Reply[]>;
  /** The allowed response codes. */
  readonly codes: readonly number[];
  /** Overrides the limit derived from the body size. */
  readonly boundMs?: number;
}

/** Just within the server's limit of 3 MiB. */
export const maximalBytes = 3_000_000;

export interface RequestRow extends Omit<HostileRequest, 'body'> {
  readonly name: string;
  readonly codes: readonly number[];
  readonly body: () => string | Uint8Array;
  readonly prepare?: HostileCase['prepare'];
  readonly configure?: HostileCase['configure'];
  readonly long?: boolean;
}

/** Responses to bodies beyond what the server processes, now or ever. */
const tooMuch = [413, 429];

/** A case with one request. The body is created on demand: all of them together are large. */
export function requestCase({
  name,
  codes,
  body,
  prepare,
  configure,
  long = false,
  ...request
}: RequestRow): HostileCase {
  let made: string | Uint8Array | undefined;
  const bodyOf = (): string | Uint8Array => (made ??= body());
  return {
    name,
    ...(configure === undefined ? {} : { configure }),
    codes: [...codes, ...tooMuch],
    long,
    get bodyBytes() {
      return bodyOf().length;
    },
    prepare: async (client) => {
      bodyOf();
      await prepare?.(client);
    },
    send: async (client) => {
      const reply = await client.send({ ...request, body: bodyOf() });
      made = undefined;
      return [reply];
    },
  };
}
