import { type AggregationConfig, aggregationDefaults } from '../aggregation/aggregation-config.ts';
import { type AuditConfig, auditDefaults } from '../audit/audit-config.ts';
import { type AuthenticationConfig, authenticationDefaults } from '../authentication/authentication-config.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type AuthorizationConfig, authorizationDefaults } from '../authorization/authorization-config.ts';
import type { ServerIdentity } from './listening/server-identity.ts';
import type { SniCertificateConfig } from './listening/sni-certificates.ts';
import { type ControllersConfig, controllersDefaults } from '../controllers/controllers-config.ts';
import { type MetricsConfig, metricsDefaults } from '../metrics/metric-limits.ts';
import { loggingDefaults, type LoggingConfig } from './logging/logging-config.ts';
import type { StoreContent } from '../storage/embedded/store-content.ts';
import type { EndpointReconcilerType } from '../services/endpoint-reconcilers.ts';

/**
 * The complete configuration of `startServer`, as plain data. `cli/` builds it from flags, `embed/` from options;
 * lower layers never see it whole: `server/` passes each part its own section.
 */
export interface ServerConfig {
  /** Absolute path. Contains the store (`storage/`), the certificates (`pki/`) and `admin.kubeconfig`. */
  readonly dataDir: string;
  readonly serving: ServingConfig;
  readonly requests: RequestConfig;
  readonly authentication: AuthenticationConfig;
  readonly authorization: AuthorizationConfig;
  readonly admission: AdmissionConfig;
  readonly aggregation: AggregationConfig;
  readonly egress: EgressConfig;
  readonly delegation: DelegationConfig;
  readonly api: ApiConfig;
  readonly storage: StorageConfig;
  /** Controllers to run: `name`, `-name`, or `*` for all that are on by default. */
  readonly controllers: readonly string[];
  /** Options of the controllers. */
  readonly control: ControllersConfig;
  readonly kubelets: KubeletConfig;
  readonly peers: PeerConfig;
  readonly shutdown: ShutdownConfig;
  readonly logging: LoggingConfig;
  readonly metrics: MetricsConfig;
  /** The folder that `/logs` shows; undefined: there is no such path. */
  readonly logsFolder: string | undefined;
  readonly profiling: ProfilingConfig;
  /** The file of a TracingConfiguration; undefined: nothing is traced. */
  readonly tracingFile: string | undefined;
  readonly audit: AuditConfig;
  /** For `/flagz`: all flags by name, with their values as Go formats them. */
  readonly flags: ReadonlyMap<string, string>;
}

/** The directory of the embedded store below the data directory. */
export const storageFolder = 'storage';

export interface ServingConfig {
  /** `0.0.0.0` and `::` mean all interfaces of both address families. */
  readonly bindAddress: string;
  /** 0: any free port, see `RunningServer.url`. */
  readonly securePort: number;
  /** The advertised address; undefined: the bind address or, if unspecified, the first external address. */
  readonly advertiseAddress: string | undefined;
  /** How the endpoints of the `kubernetes` service are maintained. */
  readonly endpointReconciler: EndpointReconcilerType;
  /** The node port of the `kubernetes` service; 0: none. */
  readonly serviceNodePort: number;
  /** Number of servers, for the `master-count` reconciler. */
  readonly serverCount: number;
  /** Directory for generated certificates; undefined: `pki` in the data directory. */
  readonly certDir: string | undefined;
  /** Both certificate and key, or neither; undefined: generated on the first start. */
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** Further certificates, chosen by SNI. */
  readonly sniCertificates: readonly SniCertificateConfig[];
  readonly tlsMinVersion: 'TLSv1.2' | 'TLSv1.3';
  /** Go's IANA names (`TLS_ECDHE_...`); empty: the runtime's default. */
  readonly tlsCipherSuites: readonly string[];
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  readonly http2MaxStreamsPerConnection: number;
  readonly http2: boolean;
  /** OpenSSL's names of key exchanges; empty: the runtime's default. */
  readonly tlsCurves: readonly string[];
  /** Other processes may listen on the port too. */
  readonly sharesPort: boolean;
  /** How many threads serve requests; more than one only where the system spreads connections over them. */
  readonly apiThreads: number | 'auto';
  /** The module that further threads run; undefined: in sources that of the sources, in the release that of it. */
  readonly threadModule: string | undefined;
  /** Whether threads return memory to the system when nothing happens. */
  readonly releasesMemory: boolean;
  /** With `auto`, and of lanes. */
  readonly threadGrowth: ThreadGrowth;
  /** How many threads there may be for large requests. They start when there are some, and end when they are idle. */
  readonly lanes: number;
  /** The name in documents; undefined: the advertised address. */
  readonly externalHostname: string | undefined;
  /** The share of requests after which an HTTP/2 connection is ended. */
  readonly goawayChance: number;
  /** Directives of the Strict-Transport-Security header; empty: not sent. */
  readonly transportSecurity: readonly string[];
  /** Regular expressions for the origins whose pages may use the API from browsers. */
  readonly corsAllowedOrigins: readonly string[];
}

/** When threads are started and ended that serve requests. */
export interface ThreadGrowth {
  /** The most that there may be; undefined: one for each core. */
  readonly most: number | undefined;
  /** How long a window is in which is measured how busy they are. */
  readonly busyMs: number;
  /** Another one is started when all have been busy in this many windows in a row. */
  readonly busyWindows: number;
  /** The least share of a window that the first thread has been on a processor: else another one would only wait. */
  readonly computingShare: number;
  /** One that has had nothing to do for this long is ended. */
  readonly idleMs: number;
  /** When another one has served for this long, and the load has stayed, connections that are as old move to it. */
  readonly moveAfterMs: number;
}

/** How connections to other servers are opened. */
export interface EgressConfig {
  /** The file of an EgressSelectorConfiguration; undefined: connections are direct. */
  readonly configFile: string | undefined;
}

/** Delegation of authentication and authorization to a server in front of this one. */
export interface DelegationConfig {
  /** Kubeconfigs of that server; undefined: this server is on its own. */
  readonly authenticationKubeconfig: string | undefined;
  readonly authorizationKubeconfig: string | undefined;
  /** Does not ask it for its authorities. */
  readonly skipsLookup: boolean;
  /** Starts without its certificate authorities if it is unavailable. */
  readonly toleratesLookupFailure: boolean;
  /** Paths that are always allowed. */
  readonly alwaysAllowPaths: readonly string[];
}

export interface RequestConfig {
  /** Requests take seats by priority and in fairness; otherwise only their number is limited. */
  readonly priorityAndFairness: boolean;
  /** How many may run at once; with priority and fairness, the sum is the number of seats. 0: any number. */
  readonly maxReadOnlyInFlight: number;
  readonly maxMutatingInFlight: number;
  /** Deadline of requests that are not long-running. */
  readonly timeoutMs: number;
  /** Watches without `timeoutSeconds` end after a random time between this and twice this. */
  readonly minWatchTimeoutMs: number;
  /** How many objects of a deleted collection are deleted at a time. */
  readonly deletionsAtOnce: number;
  /** The rate limit of a stream to a node, pod or service, in each direction; 0: none. */
  readonly maxConnectionBytesPerSec: number;
}

/** Plugins by the reference's names. */
export interface AdmissionConfig {
  /** In addition to the default plugins. */
  readonly enablePlugins: readonly string[];
  readonly disablePlugins: readonly string[];
  /** All that are enabled; undefined: the default ones and those above. */
  readonly onlyPlugins: readonly string[] | undefined;
  /** The file of an AdmissionConfiguration, which configures plugins; undefined: none. */
  readonly configFile: string | undefined;
  /** How long pods that do not say stay on nodes that are lost. */
  readonly tolerationSeconds: { readonly notReady: number; readonly unreachable: number };
}

/** Connections to kubelets, for logs and streams. PEM files are reloaded when they change. */
export interface KubeletConfig {
  /** Undefined: the certificates of kubelets are not verified. */
  readonly authorityFile: string | undefined;
  /** The file of the client certificate; it has a key, or there is neither. */
  readonly certificateFile: string | undefined;
  readonly keyFile: string | undefined;
  /** For nodes without one in their status. */
  readonly port: number;
  /** Types of node addresses, in order of preference. */
  readonly preferredAddressTypes: readonly string[];
}

/** Requests between servers of one store, which may serve different APIs. */
export interface PeerConfig {
  /** The file of the authorities of the others' certificates; undefined: they are not verified. */
  readonly caFile: string | undefined;
  /** Where the others reach this server; empty: where clients do. */
  readonly advertiseIp: string;
  readonly advertisePort: string;
  /** By which servers are told apart; undefined: the name of the machine. */
  readonly hostName: string | undefined;
}

export interface ApiConfig {
  /** Keys as in kube-apiserver's `--runtime-config`: `api/all`, `api/beta`, `apps/v1`, `apps/v1/deployments`. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** The release to emulate, such as `1.37`. */
  readonly emulatedVersion: string;
  /** Serves newer versions of served APIs than the emulated release has. */
  readonly emulationForwardCompatible: boolean;
  /** Serves newer versions than the emulated release has of APIs that `runtimeConfig` names. */
  readonly runtimeConfigEmulationForwardCompatible: boolean;
  /** Serves the versions that the release has removed. */
  readonly servesRemoved: boolean;
  /** One range, or one per address family. */
  readonly serviceClusterIpRanges: readonly string[];
  readonly serviceNodePortRange: PortRange;
  /** The oldest release of other members of the control plane; undefined: the one before the emulated release. */
  readonly minCompatibilityVersion: string | undefined;
  /** Deletions leave it to the garbage collector what happens to dependents; otherwise nothing does. */
  readonly collectsGarbage: boolean;
  /** Allows privileged containers. */
  readonly allowPrivileged: boolean;
}

/** `base <= port < base + size`. */
export interface PortRange {
  readonly base: number;
  readonly size: number;
}

export interface StorageConfig {
  /** Readiness waits for the store for at most this long. */
  readonly initializationTimeoutMs: number;
  /** Keeps the embedded store in memory only. */
  readonly inMemory: boolean;
  /** Acknowledged writes are on disk; otherwise the embedded store survives only the end of the process. */
  readonly syncs: boolean;
  /** The prefix of all keys; with a leading slash but no trailing one. */
  readonly prefix: string;
  /** 0: events stay. */
  readonly eventTtlSeconds: number;
  readonly watchCache: WatchCacheConfig;
  /** How often history is compacted; one to two intervals of it are kept. 0: never. */
  readonly compactionIntervalMs: number;
  /** Maximum age of the object counts and store size in metrics; 0: not reported. */
  readonly countIntervalMs: number;
  readonly sizeIntervalMs: number;
  readonly etcd: EtcdConfig;
  readonly encryption: EncryptionConfig;
}

/** Encryption at rest. */
export interface EncryptionConfig {
  /** The file of an EncryptionConfiguration; undefined: nothing is encrypted. */
  readonly configFile: string | undefined;
  /** Reads the file again when it changes. */
  readonly automaticReload: boolean;
}

/**
 * Reads are always served from memory; this only decides whether lists at `resourceVersion=0` are unpaged, as
 * in the reference with a watch cache, or paged, as without one.
 */
export interface WatchCacheConfig {
  readonly enabled: boolean;
  /** By resource, such as `events.events.k8s.io`; 0: none. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Encodings of objects in etcd; custom resources are always JSON. */
export const storageMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf'] as const;
export type StorageMediaType = (typeof storageMediaTypes)[number];

export interface EtcdConfig {
  /** `https://10.0.0.1:2379`; empty: the embedded store. */
  readonly servers: readonly string[];
  /** Resources stored in other clusters. */
  readonly overrides: readonly EtcdOverride[];
  /** PEM files: trusted CAs, client certificate and key. */
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  /** Timeouts of the `etcd` and `etcd-readiness` checks. */
  readonly healthCheckTimeoutMs: number;
  readonly readyCheckTimeoutMs: number;
  /** An event may outlive its TTL by this much, because events share leases. */
  readonly leaseReuseSeconds: number;
  /** How objects are written; both are read. */
  readonly mediaType: StorageMediaType;
}

/** For example `events` of the core group, in the etcd cluster of these servers. */
export interface EtcdOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

export interface ShutdownConfig {
  /** After a signal: `/readyz` fails at once, requests are served for this long, then no more are accepted. */
  readonly delayMs: number;
  /** Keeps listening until running requests have ended, and tells clients meanwhile to come again later. */
  readonly sendsRetryAfter: boolean;
  /**
   * Watches are ended within this time, and waited for; 0: they go on until the listener is cut off, for which the
   * request timeout is waited; undefined: they are ended at once.
   */
  readonly watchGraceMs: number | undefined;
  /** `/livez` succeeds for this long even if start-up has not finished. */
  readonly livezGracePeriodMs: number;
}

/** Profiles of the process. */
export interface ProfilingConfig {
  /** Serves them at `/debug/pprof/`. */
  readonly enabled: boolean;
  /** The path of a Unix socket that serves profiles without authentication; undefined: none. */
  readonly socketPath: string | undefined;
}

export interface RunningServer {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  /** Absolute path of a kubeconfig with an administrator's certificate. */
  readonly kubeconfigPath: string;
  /** The text of that file. */
  readonly kubeconfig: string;
  /** For clones, which `startServer` starts with it. */
  readonly identity: ServerIdentity;
  /** What is served; it can be changed. */
  readonly catalogue: LiveCatalogue;
  /**
   * Resolves when all bootstrap objects have been written: roles, bindings and others that requests need not wait for.
   */
  readonly settled: Promise<void>;
  /** What its store contains now, for `startServer`; absent: the store is not held in this process. */
  readonly content?: () => Promise<StoreContent>;
  /** Stops gracefully: resolves when the last request has ended and the store is closed. */
  close(): Promise<void>;
}

/** All defaults except the data directory: whoever starts a server decides where its state is kept. */
export const configDefaults: Omit<ServerConfig, 'dataDir'> = {
  serving: {
    bindAddress: '0.0.0.0',
    securePort: 6443,
    advertiseAddress: undefined,
    endpointReconciler: 'lease',
    serviceNodePort: 0,
    serverCount: 1,
    certDir: undefined,
    tlsCertFile: undefined,
    tlsPrivateKeyFile: undefined,
    sniCertificates: [],
    tlsMinVersion: 'TLSv1.2',
    tlsCipherSuites: [],
    http2MaxStreamsPerConnection: 100,
    http2: true,
    tlsCurves: [],
    sharesPort: false,
    releasesMemory: false,
    apiThreads: 1,
    threadModule: undefined,
    lanes: 0,
    threadGrowth: {
      most: undefined,
      busyMs: 1_000,
      busyWindows: 3,
      computingShare: 0.75,
      idleMs: 60_000,
      moveAfterMs: 10_000,
    },
    externalHostname: undefined,
    goawayChance: 0,
    transportSecurity: [],
    corsAllowedOrigins: [],
  },
  requests: {
    priorityAndFairness: true,
    maxReadOnlyInFlight: 400,
    maxMutatingInFlight: 200,
    timeoutMs: 60_000,
    minWatchTimeoutMs: 1_800_000,
    deletionsAtOnce: 16,
    maxConnectionBytesPerSec: 0,
  },
  authentication: authenticationDefaults,
  authorization: authorizationDefaults,
  admission: {
    enablePlugins: [],
    disablePlugins: [],
    onlyPlugins: undefined,
    configFile: undefined,
    tolerationSeconds: { notReady: 300, unreachable: 300 },
  },
  aggregation: aggregationDefaults,
  egress: { configFile: undefined },
  delegation: {
    authenticationKubeconfig: undefined,
    authorizationKubeconfig: undefined,
    skipsLookup: false,
    toleratesLookupFailure: false,
    alwaysAllowPaths: ['/healthz', '/readyz', '/livez'],
  },
  api: {
    runtimeConfig: new Map(),
    featureGates: new Map(),
    emulatedVersion: '1.37',
    emulationForwardCompatible: false,
    runtimeConfigEmulationForwardCompatible: false,
    servesRemoved: false,
    serviceClusterIpRanges: ['10.0.0.0/24'],
    serviceNodePortRange: { base: 30_000, size: 2_768 },
    minCompatibilityVersion: undefined,
    collectsGarbage: true,
    allowPrivileged: false,
  },
  storage: {
    initializationTimeoutMs: 60_000,
    inMemory: false,
    syncs: true,
    prefix: '/registry',
    eventTtlSeconds: 3_600,
    watchCache: {
      enabled: true,
      sizes: new Map([
        ['events', 0],
        ['events.events.k8s.io', 0],
      ]),
    },
    compactionIntervalMs: 300_000,
    encryption: { configFile: undefined, automaticReload: false },
    countIntervalMs: 60_000,
    sizeIntervalMs: 30_000,
    etcd: {
      servers: [],
      overrides: [],
      caFile: undefined,
      certFile: undefined,
      keyFile: undefined,
      healthCheckTimeoutMs: 2_000,
      readyCheckTimeoutMs: 2_000,
      leaseReuseSeconds: 60,
      mediaType: 'application/json',
    },
  },
  controllers: ['*'],
  control: controllersDefaults,
  shutdown: { delayMs: 0, sendsRetryAfter: false, watchGraceMs: undefined, livezGracePeriodMs: 0 },
  kubelets: {
    authorityFile: undefined,
    certificateFile: undefined,
    keyFile: undefined,
    port: 10_250,
    preferredAddressTypes: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
  },
  logging: loggingDefaults,
  peers: { caFile: undefined, advertiseIp: '', advertisePort: '', hostName: undefined },
  metrics: metricsDefaults,
  logsFolder: undefined,
  profiling: { enabled: true, socketPath: undefined },
  tracingFile: undefined,
  audit: auditDefaults,
  flags: new Map(),
};
