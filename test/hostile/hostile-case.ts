import type { HostileClient, HostileRequest, Reply } from './hostile-client.ts';

/** What one client does to the server, and what must become of it. */
export interface HostileCase {
  readonly name: string;
  /** Only by hand, with `--long`. */
  readonly long?: boolean;
  /** What the requests under way together weigh: what the server may take for them is in proportion to it. */
  readonly bodyBytes: number;
  /** What must be there before; not measured. */
  readonly prepare?: (client: HostileClient) => Promise<unknown>;
  readonly send: (client: HostileClient) => Promise<readonly Reply[]>;
  /** All answers have one of these codes. */
  readonly codes: readonly number[];
  /** Instead of what follows from the size of the body. */
  readonly boundMs?: number;
}

/** What the server accepts: 3 MiB. */
export const maximalBytes = 3_000_000;

export interface RequestRow extends Omit<HostileRequest, 'body'> {
  readonly name: string;
  readonly codes: readonly number[];
  readonly body: () => string | Uint8Array;
  readonly prepare?: HostileCase['prepare'];
  readonly long?: boolean;
}

/** Answers to a body that is more than the server works on, now or ever. */
const tooMuch = [413, 429];

/** A case of one request. The body is made when it is needed: all of them together are large. */
export function requestCase({ name, codes, body, prepare, long = false, ...request }: RequestRow): HostileCase {
  let made: string | Uint8Array | undefined;
  const bodyOf = (): string | Uint8Array => (made ??= body());
  return {
    name,
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
