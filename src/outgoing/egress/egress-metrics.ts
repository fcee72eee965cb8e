import type { Connect } from '../../api/contracts/egress.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { secondsSince } from '../../api/time/seconds-since.ts';

export interface ProxyLabels {
  readonly protocol: 'http_connect' | 'grpc';
  readonly transport: 'tcp' | 'uds';
}

/** How a proxy is reached, and how it is then asked for a connection. */
export interface ProxySteps<T> {
  readonly connect: () => Promise<T>;
  readonly proxy: (connected: T, address: Parameters<Connect>[0]) => ReturnType<Connect>;
}

/** Counts connections through proxies. */
export type Measured = <T>(labels: ProxyLabels, steps: ProxySteps<T>) => Connect;

export function egressMetrics(context: Pick<PartContext, 'metric'>): Measured {
  const { starts, durations, failures } = dialMetrics(context);
  return (labels, { connect, proxy }) => {
    const counted = async <R>(stage: string, step: Promise<R>): Promise<R> => {
      try {
        return await step;
      } catch (error) {
        failures.add({ ...labels, stage });
        throw error;
      }
    };
    return async (address) => {
      const startMs = performance.now();
      starts.add({ ...labels });
      const connected = await counted('connect', connect());
      const socket = await counted('proxy', proxy(connected, address));
      durations.observe(secondsSince(startMs), { ...labels });
      return socket;
    };
  };
}

function dialMetrics({ metric }: Pick<PartContext, 'metric'>) {
  const prefix = 'apiserver_egress_dialer_dial';
  const labelNames = ['protocol', 'transport'];
  const starts = metric({
    name: `${prefix}_start_total`,
    help: 'Connections that were begun through proxies.',
    type: 'counter',
    labelNames,
  });
  const durations = metric({
    name: `${prefix}_duration_seconds`,
    help: 'How long it took to open connections through proxies.',
    type: 'histogram',
    labelNames,
    buckets: [0.005, 0.025, 0.1, 0.5, 2.5, 12.5],
  });
  const failures = metric({
    name: `${prefix}_failure_count`,
    help: 'Connections that failed, to the proxy (connect) or behind it (proxy).',
    type: 'counter',
    labelNames: [...labelNames, 'stage'],
  });
  return { starts, durations, failures };
}
