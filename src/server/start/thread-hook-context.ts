import type { ServerThread } from '../server-thread.ts';
import type { ThreadHookContext } from '../start-hooks.ts';

/** What start hooks find on a thread that listens on `port`. */
export function threadHookContext(
  { ground, lifecycle, registers, aggregator, access, definitions, flowControl, peers }: ServerThread,
  port: number,
): ThreadHookContext {
  const { onLeave } = lifecycle;
  const { admission } = access;
  return { ...ground, port, onLeave, registers, aggregator, admission, definitions, flowControl, peers };
}
