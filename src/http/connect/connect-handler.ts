import type { Metric } from '../../api/metrics/metric.ts';
import type { ClusterConnections } from '../../outgoing/cluster-connections.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { ResourceRequest } from '../request/resource-request.ts';

/** A request to connect to a node, pod or service. */
export type ConnectRequest = Omit<ResourceRequest, 'format' | 'patchFormat'>;

/** Connects: writes the response, and resolves when the connection has ended. Throws a StatusError or a ProxyError. */
export type Connect = (request: ConnectRequest, options: KubernetesObject, parts: ConnectParts) => Promise<void>;

/** How kubelets are found. */
export interface KubeletAddressing {
  /** For nodes without a port in their status. */
  readonly port: number;
  /** The first type that a node has an address of is taken. */
  readonly preferredAddressTypes: readonly string[];
}

/** Dependencies of connections. */
export interface ConnectParts {
  readonly connections: ClusterConnections;
  readonly kubelets: KubeletAddressing;
  /** The rate limit of a connection that has left HTTP, in each direction; 0: none. */
  readonly maxBytesPerSec: number;
  /** Feature gates. */
  readonly gates: ReadonlyMap<string, boolean>;
  readonly metrics: ConnectMetrics;
}

export interface ConnectMetrics {
  readonly translated: Metric;
  readonly tunneled: Metric;
  readonly streaming: Metric;
  readonly unverifiedLogs: Metric;
  readonly failedLogs: Metric;
}

export interface ConnectRow {
  /** `group/plural/subresource`; the core group is empty. */
  readonly path: string;
  readonly methods: ReadonlySet<string>;
  /** Whether more of the path follows, for the other server. */
  readonly takesPath: boolean;
  /** Imports it on the first request. */
  readonly load: () => Promise<Connect>;
}

/** The fields of PodExecOptions, PodAttachOptions and PodPortForwardOptions. */
export interface StreamOptions {
  readonly stdin?: boolean;
  readonly stdout?: boolean;
  readonly stderr?: boolean;
  readonly tty?: boolean;
  readonly container?: string;
  readonly command?: readonly string[];
  readonly ports?: readonly number[];
}
