/** How often requests of each verb took how long: by verb, then by the upper bound in seconds, cumulative. */
export type Durations = ReadonlyMap<string, ReadonlyMap<number, number>>;

const bucket = /^apiserver_request_duration_seconds_bucket\{([^}]*)\} (\S+)$/gm;

/** The durations of requests for all resources, from the text of `/metrics`. */
export function durationsOf(metrics: string): Durations {
  const durations = new Map<string, Map<number, number>>();
  for (const [, labels = '', count] of metrics.matchAll(bucket)) {
    const verb = /(?:^|,)verb="([^"]*)"/.exec(labels)?.[1];
    const bound = /(?:^|,)le="([^"]*)"/.exec(labels)?.[1];
    if (verb === undefined || bound === undefined) throw new Error(`a bucket without a verb or a bound: ${labels}`);
    const ofVerb = durations.get(verb) ?? new Map<number, number>();
    const seconds = bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound);
    ofVerb.set(seconds, (ofVerb.get(seconds) ?? 0) + Number(count));
    durations.set(verb, ofVerb);
  }
  return durations;
}

/** The durations observed between two readings. */
export function durationsSince(before: Durations, after: Durations): Durations {
  return new Map(
    [...after].map(([verb, buckets]) => {
      const earlier = before.get(verb);
      return [verb, new Map([...buckets].map(([bound, count]) => [bound, count - (earlier?.get(bound) ?? 0)]))];
    }),
  );
}

export interface Latency {
  readonly count: number;
  quantileMs(part: number): number;
}

/** As `histogram_quantile` of Prometheus: linear within a bucket, the last bound for what is beyond all of them. */
export function latencyOf(buckets: ReadonlyMap<number, number>): Latency {
  const sorted = [...buckets].toSorted(([one], [other]) => one - other);
  const count = sorted.at(-1)?.[1] ?? 0;
  return {
    count,
    quantileMs(part) {
      const rank = part * count;
      let lower = { bound: 0, count: 0 };
      for (const [bound, upTo] of sorted) {
        if (bound === Number.POSITIVE_INFINITY) break;
        if (upTo >= rank && upTo > lower.count) {
          const share = (rank - lower.count) / (upTo - lower.count);
          return (lower.bound + (bound - lower.bound) * share) * 1000;
        }
        lower = { bound, count: upTo };
      }
      return lower.bound * 1000;
    },
  };
}
