import type { Stage } from '../request/request-context.ts';

/**
 * Ends the connection after the response of few requests, chosen at random: HTTP/2 clients keep to their connection,
 * and would never use another server. Undefined: none is ended.
 */
export function goawayStage(chance: number, random: () => number = Math.random): Stage | undefined {
  if (chance <= 0) return undefined;
  return {
    name: 'goaway',
    run({ exchange }) {
      if (random() < chance) exchange.endConnection?.();
    },
  };
}
