import type { AdmissionAttributes, AdmissionPlugin } from '../../../api/contracts/admission.ts';
import { joinedErrors } from '../../../api/text/error-texts.ts';
import { StatusError } from '../../../api/errors/status.ts';
import { TokenBucket } from '../../../api/scheduling/token-bucket.ts';
import { LruMap } from '../../../api/collections/lru-map.ts';
import type { Event } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import type { PluginContext } from '../../plugin-context.ts';
import type { EventLimit } from './event-limits.ts';

const defaultCacheSize = 4096;

/** The key by which each type of limit counts events together. */
const keys: { readonly [type: string]: (attributes: AdmissionAttributes) => string } = {
  Server: () => '',
  Namespace: ({ namespace }) => namespace,
  User: ({ user }) => user.name,
  SourceAndObject({ object }) {
    const { source = {}, involvedObject = {} } = object as Event; // decoded by the schema of events
    const { kind, namespace, name, uid, apiVersion } = involvedObject;
    return [source.component, source.host, kind, namespace, name, uid, apiVersion].join('');
  },
};

/** Nobody floods the server with events. */
export function eventRateLimit(
  { clock }: Pick<PluginContext, 'clock'>,
  limits: readonly EventLimit[],
): AdmissionPlugin {
  const enforcers = limits.map((limit) => new LimitEnforcer(limit, clock));
  return {
    name: 'EventRateLimit',
    operations: new Set(['CREATE', 'UPDATE']),
    validate(attributes) {
      const { group, kind, dryRun } = attributes;
      if (group !== '' || kind !== 'Event' || dryRun) return;
      const reached = enforcers.flatMap((enforcer) => enforcer.problem(attributes) ?? []);
      if (reached.length === 0) return;
      const message = `Too many requests: ${joinedErrors(reached)}`;
      throw new StatusError({ code: 429, reason: 'TooManyRequests', message });
    },
  };
}

class LimitEnforcer {
  readonly #limit: EventLimit;
  readonly #clock: PluginContext['clock'];
  readonly #buckets: LruMap<string, TokenBucket>;

  constructor(limit: EventLimit, clock: PluginContext['clock']) {
    this.#limit = limit;
    this.#buckets = new LruMap(limit.cacheSize || defaultCacheSize);
    this.#clock = clock;
  }

  problem(attributes: AdmissionAttributes): string | undefined {
    const { type } = this.#limit;
    const key = keys[type]?.(attributes) ?? '';
    if (this.#bucketOf(key).tryTake()) return undefined;
    return `limit reached on type ${type} for key ${key}`;
  }

  #bucketOf(key: string): TokenBucket {
    const { qps, burst } = this.#limit;
    const known = this.#buckets.get(key);
    if (known !== undefined) return known;
    const bucket = new TokenBucket({ clock: this.#clock, qps, burst });
    this.#buckets.set(key, bucket);
    return bucket;
  }
}
