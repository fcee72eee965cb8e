import { type AuthenticationConfig, authenticationDefaults } from '../authentication/authentication-config.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { type AuthorizationConfig, authorizationDefaults } from '../authorization/authorization-config.ts';
import type { SniCertificateConfig } from './sni-certificates.ts';
import { type ControllersConfig, controllersDefaults } from '../controllers/controllers-config.ts';
import type { EndpointReconcilerType } from './services/endpoint-reconcilers.ts';

/**
 * Everything `startServer` needs to know, as plain data. `cli/` makes it from flags, `embed/` from options;
 * nothing below `server/` sees it whole: `server/` hands each part what concerns it.
 */
export interface ServerConfig {
  /** Absolute path. Holds the store (`storage/`), the certificates (`pki/`) and `admin.kubeconfig`. */
  readonly dataDir: string;
  readonly serving: ServingConfig;
  readonly requests: RequestConfig;
  readonly authentication: AuthenticationConfig;
  readonly authorization: AuthorizationConfig;
  readonly admission: AdmissionConfig;
  readonly api: ApiConfig;
  readonly storage: StorageConfig;
  /** As `--controllers`: names, `-NAME` to disable, `*` for the defaults. */
  readonly controllers: readonly string[];
  /** What controllers are told. */
  readonly control: ControllersConfig;
  readonly shutdown: ShutdownConfig;
  readonly logging: LoggingConfig;
  /** What `/flagz` shows: all flags by name, with their values in Go's form. */
  readonly flags: ReadonlyMap<string, string>;
}

/** The folder of the embedded store in the data directory. */
export const storageFolder = 'storage';

export interface ServingConfig {
  /** `0.0.0.0` and `::` mean all interfaces of both address families. */
  readonly bindAddress: string;
  /** 0: any free port; `RunningServer.url` tells which. */
  readonly securePort: number;
  /** The address told to others; undefined: the bind address, or the first external address when that is unspecified. */
  readonly advertiseAddress: string | undefined;
  /** How the endpoints of the service `kubernetes` are kept. */
  readonly endpointReconciler: EndpointReconcilerType;
  /** The port of nodes at which the service `kubernetes` is reached; 0: none. */
  readonly serviceNodePort: number;
  /** How many servers there are, for the reconciler `master-count`. */
  readonly serverCount: number;
  /** Where made certificates are kept; undefined: `pki` in the data directory. */
  readonly certDir: string | undefined;
  /** Both or neither of certificate and key; undefined: made on the first start. */
  readonly tlsCertFile: string | undefined;
  readonly tlsPrivateKeyFile: string | undefined;
  /** Other certificates, by the name that a client asks for. */
  readonly sniCertificates: readonly SniCertificateConfig[];
  readonly tlsMinVersion: 'TLSv1.2' | 'TLSv1.3';
  /** IANA names as Go writes them (`TLS_ECDHE_...`); empty: the runtime's own choice. */
  readonly tlsCipherSuites: readonly string[];
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  readonly http2MaxStreamsPerConnection: number;
  readonly http2: boolean;
  /** Directives of the header Strict-Transport-Security; none: there is no such header. */
  readonly transportSecurity: readonly string[];
}

export interface RequestConfig {
  /** Deadline of every request that is not long-running. */
  readonly timeoutMs: number;
  /** A watch without `timeoutSeconds` ends after a random time between this and twice this. */
  readonly minWatchTimeoutMs: number;
}

/** Plugins by the names of the reference. */
export interface AdmissionConfig {
  /** Beside those that are on by default. */
  readonly enablePlugins: readonly string[];
  readonly disablePlugins: readonly string[];
  /** Of an AdmissionConfiguration, which says what plugins are configured with; undefined: nothing. */
  readonly configFile: string | undefined;
  /** How long pods that do not say stay on nodes that are lost. */
  readonly tolerationSeconds: { readonly notReady: number; readonly unreachable: number };
}

export interface ApiConfig {
  /** Keys as kube-apiserver's `--runtime-config`: `api/all`, `api/beta`, `apps/v1`, `apps/v1/deployments`. */
  readonly runtimeConfig: ReadonlyMap<string, boolean>;
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** The release to behave as, such as `1.37`. */
  readonly emulatedVersion: string;
  /** One range, or one of each address family. */
  readonly serviceClusterIpRanges: readonly string[];
  readonly serviceNodePortRange: PortRange;
  /** Containers may ask for all rights of their node. */
  readonly allowPrivileged: boolean;
}

/** `base <= port < base + size`. */
export interface PortRange {
  readonly base: number;
  readonly size: number;
}

export interface StorageConfig {
  /** The embedded store is in memory, and gone when the server is closed. */
  readonly inMemory: boolean;
  /** The prefix of all keys; a leading slash, none at the end. */
  readonly prefix: string;
  readonly eventTtlSeconds: number;
  readonly watchCache: WatchCacheConfig;
  /** How often history is forgotten; one to two intervals of it stay. 0: never. */
  readonly compactionIntervalMs: number;
  /** How old the numbers of objects and the size of the store may be that metrics tell; 0: they tell none. */
  readonly countIntervalMs: number;
  readonly sizeIntervalMs: number;
  readonly etcd: EtcdConfig;
}

/**
 * Reads are served from memory whatever this says; it decides whether lists of any version (`resourceVersion=0`) come whole, as where there
 * is a watch cache, or in pages, as where there is none.
 */
export interface WatchCacheConfig {
  readonly enabled: boolean;
  /** By resource, as `events.events.k8s.io`; 0: none. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** What objects can be in etcd; custom resources are always JSON. */
export const storageMediaTypes = ['application/json', 'application/vnd.kubernetes.protobuf'] as const;
export type StorageMediaType = (typeof storageMediaTypes)[number];

export interface EtcdConfig {
  /** `https://10.0.0.1:2379`; none: the embedded store. */
  readonly servers: readonly string[];
  /** Resources that are kept in other clusters. */
  readonly overrides: readonly EtcdOverride[];
  /** PEM files: the authorities to trust, our certificate and its key. */
  readonly caFile: string | undefined;
  readonly certFile: string | undefined;
  readonly keyFile: string | undefined;
  /** How long the checks `etcd` and `etcd-readiness` wait for an answer. */
  readonly healthCheckTimeoutMs: number;
  readonly readyCheckTimeoutMs: number;
  /** An event may stay so much longer than its time to live, because events share leases. */
  readonly leaseReuseSeconds: number;
  /** What objects are written as; both are read. */
  readonly mediaType: StorageMediaType;
}

/** `events` of the group '' in a cluster of these servers. */
export interface EtcdOverride {
  readonly group: string;
  readonly resource: string;
  readonly servers: readonly string[];
}

export interface ShutdownConfig {
  /** After a signal: `/readyz` fails at once, requests are served for so long, then the listener closes. */
  readonly delayMs: number;
  /** `/livez` holds for so long although start-up has not finished. */
  readonly livezGracePeriodMs: number;
}

export interface LoggingConfig {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug' | 'trace';
}

/** What a running server offers to the one who started it. */
export interface RunningServer {
  /** `https://127.0.0.1:6443` */
  readonly url: string;
  /** Absolute path of a kubeconfig with an administrator's certificate. */
  readonly kubeconfigPath: string;
  /** What it serves, which may be changed. */
  readonly catalogue: LiveCatalogue;
  /** Resolves when everything has been made that every server has: roles, bindings and whatever else requests need not wait for. */
  readonly settled: Promise<void>;
  /** Stops gracefully: resolves when the last request has been answered and the store is closed. */
  close(): Promise<void>;
}

/** All defaults but the data directory, which has none here: who starts a server says where its state lives. */
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
    transportSecurity: [],
  },
  requests: { timeoutMs: 60_000, minWatchTimeoutMs: 1_800_000 },
  authentication: authenticationDefaults,
  authorization: authorizationDefaults,
  admission: {
    enablePlugins: [],
    disablePlugins: [],
    configFile: undefined,
    tolerationSeconds: { notReady: 300, unreachable: 300 },
  },
  api: {
    runtimeConfig: new Map(),
    featureGates: new Map(),
    emulatedVersion: '1.37',
    serviceClusterIpRanges: ['10.0.0.0/24'],
    serviceNodePortRange: { base: 30_000, size: 2_768 },
    allowPrivileged: false,
  },
  storage: {
    inMemory: false,
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
  shutdown: { delayMs: 0, livezGracePeriodMs: 0 },
  logging: { level: 'info' },
  flags: new Map(),
};
