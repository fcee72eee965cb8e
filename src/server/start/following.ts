import type { Aggregator } from '../../aggregation/aggregator.ts';
import { openAggregator } from '../aggregation/open-aggregator.ts';
import type { Access } from '../access/access.ts';
import type { ServerConfig } from '../config.ts';
import { followDefinitions, type FollowedDefinitions } from '../kinds/definitions.ts';
import type { KindsPhase } from './kinds.ts';
import type { Later } from './later.ts';
import type { ThreadSurroundings } from './surroundings.ts';

/** The catalogue follows the stored definitions and APIServices. */
export interface FollowingPhase {
  readonly definitions: FollowedDefinitions;
  readonly aggregator: Aggregator;
}

export interface FollowingPhaseOptions extends KindsPhase, Pick<ThreadSurroundings, 'opened' | 'onError' | 'log'> {
  readonly access: Access;
  readonly aggregator: Later<Aggregator>;
}

export async function openFollowingPhase(
  config: ServerConfig,
  { ground, catalogue, unprepared, access, log, opened, onError, ...later }: FollowingPhaseOptions,
): Promise<FollowingPhase> {
  const { scopes, clock, metric, egress } = ground;
  const client = { scopes, ...access, clock, log, metric, egress, routing: config.aggregation };
  const definitions = opened.use(await followDefinitions(client, catalogue, onError('following definitions failed')));
  const { aggregator, begin } = await openAggregator({ ...ground, catalogue, definitions, unprepared });
  later.aggregator.set(aggregator);
  await begin();
  return { definitions, aggregator };
}
