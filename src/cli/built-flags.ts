import { resolve } from 'node:path';
import { parseIpRange, sizeOfRange } from '../api/values/ip-address.ts';
import type { ServiceAccountConfig } from '../authentication/service-account/account-tokens.ts';
import {
  type EtcdConfig,
  type EtcdOverride,
  type ServerConfig,
  type StorageConfig,
  type StorageMediaType,
  storageMediaTypes,
} from '../server/config.ts';
import {
  boolean,
  configurationMap,
  componentStrings,
  duration,
  FlagValueError,
  integer,
  ipAddress,
  parseBoolean,
  port,
  portRange,
  string,
  stringArray,
  stringMap,
  strings,
} from './flag-types.ts';
import { endpointReconcilers, type EndpointReconcilerType } from '../services/endpoint-reconcilers.ts';
import { aggregationFlags } from './aggregation-flags.ts';
import { auditFlags } from './audit-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { controllerFlags } from './controller-flags.ts';
import { coordinationFlags } from './coordination-flags.ts';
import { delegationFlags } from './delegation-flags.ts';
import { UsageError } from './errors.ts';
import { encryptionFlags } from './encryption-flags.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { kubeletFlags } from './kubelet-flags.ts';
import { lifecycleFlags } from './lifecycle-flags.ts';
import { observationFlags } from './observation-flags.ts';
import { loggingFlags } from './logging-flags.ts';
import { admissionFlags } from './admission-flags.ts';
import { deletionFlags } from './deletion-flags.ts';
import { peerFlags } from './peer-flags.ts';
import { metricsFlags } from './metrics-flags.ts';
import { profilingFlags } from './profiling-flags.ts';
import { releaseFlags } from './release-flags.ts';
import { servingFlags } from './serving-flags.ts';
import { tracingFlags } from './tracing-flags.ts';
import { withoutEdges } from '../api/text/text-edges.ts';

/** To build a flag, honour its field in `server/` and add a row here. */
export const builtFlags: readonly BuiltFlag[] = [
  ...admissionFlags,
  ...aggregationFlags,
  ...auditFlags,
  ...authenticationFlags,
  ...authorizationFlags,
  ...controllerFlags,
  ...coordinationFlags,
  ...delegationFlags,
  ...deletionFlags,
  ...encryptionFlags,
  ...kubeletFlags,
  ...lifecycleFlags,
  ...loggingFlags,
  ...metricsFlags,
  ...observationFlags,
  ...peerFlags,
  ...profilingFlags,
  ...releaseFlags,
  ...servingFlags,
  ...tracingFlags,
  flag('advertise-address', {
    type: ipAddress,
    help: 'address at which other members of the cluster reach this server',
    set: (advertiseAddress, { serving }) => ({ serving: { ...serving, advertiseAddress } }),
  }),
  flag('allow-privileged', {
    type: boolean,
    help: 'allow privileged containers',
    set: (allowPrivileged, { api }) => ({ api: { ...api, allowPrivileged } }),
  }),
  flag('anonymous-auth', {
    type: boolean,
    help: 'treat requests without credentials as user system:anonymous; otherwise answer them 401',
    set: (anonymous, { authentication }) => ({
      authentication: { ...authentication, anonymous, anonymousGiven: true },
    }),
  }),
  flag('api-audiences', {
    type: strings,
    help: 'accepted audiences of service account tokens; default: the issuers',
    set: (audiences, { authentication }) => accountOptions(authentication, { audiences }),
  }),
  flag('apiserver-count', {
    type: integer,
    help: 'number of API servers, for --endpoint-reconciler-type=master-count',
    ownType: 'int',
    set: (count, { serving }) => ({ serving: { ...serving, serverCount: positive(count) } }),
  }),
  flag('client-ca-file', {
    type: string,
    help: 'PEM file of additional certificate authorities for client certificates',
    set: (file, { authentication }) => ({ authentication: { ...authentication, clientCaFile: resolve(file) } }),
  }),
  flag('egress-selector-config-file', {
    type: string,
    help: 'file of an EgressSelectorConfiguration, by which connections to other servers are opened through proxies',
    set: (file) => ({ egress: { configFile: fileOf(file) } }),
  }),
  flag('enable-priority-and-fairness', {
    type: boolean,
    help: 'give requests seats by priority and in fairness, and queue what finds none; otherwise only limit their number',
    set: (priorityAndFairness, { requests }) => ({ requests: { ...requests, priorityAndFairness } }),
  }),
  flag('endpoint-reconciler-type', {
    type: string,
    help: 'how endpoints of the service kubernetes are maintained: by leases in the store (lease), by the number of servers (master-count), or not at all (none)',
    values: () => Object.keys(endpointReconcilers),
    set: (text, { serving }) => ({ serving: { ...serving, endpointReconciler: endpointReconcilerType(text) } }),
  }),
  flag('etcd-cafile', {
    type: string,
    help: 'PEM file of the certificate authorities of etcd',
    set: (file, { storage }) => etcdOptions(storage, { caFile: fileOf(file) }),
  }),
  flag('etcd-certfile', {
    type: string,
    help: 'PEM file of the client certificate for etcd',
    set: (file, { storage }) => etcdOptions(storage, { certFile: fileOf(file) }),
  }),
  flag('etcd-compaction-interval', {
    type: duration,
    help: 'compaction interval; one to two intervals of history are kept; 0: never compact',
    set: (ms, { storage }) => ({ storage: { ...storage, compactionIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-count-metric-poll-period', {
    type: duration,
    help: 'maximum age of object counts in /metrics; 0: no object counts',
    set: (ms, { storage }) => ({ storage: { ...storage, countIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-db-metric-poll-interval', {
    type: duration,
    help: 'maximum age of the store size in /metrics; 0: no store size',
    set: (ms, { storage }) => ({ storage: { ...storage, sizeIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-healthcheck-timeout', {
    type: duration,
    help: 'timeout of the etcd health check',
    set: (ms, { storage }) => etcdOptions(storage, { healthCheckTimeoutMs: notNegative(ms) || defaultCheckTimeoutMs }),
  }),
  flag('etcd-keyfile', {
    type: string,
    help: 'PEM file of the key of --etcd-certfile',
    set: (file, { storage }) => etcdOptions(storage, { keyFile: fileOf(file) }),
  }),
  flag('etcd-prefix', {
    type: string,
    help: 'prefix of all keys in the store',
    set: (prefix, { storage }) => ({ storage: { ...storage, prefix: `/${withoutEdges(prefix, '/')}` } }),
  }),
  flag('etcd-readycheck-timeout', {
    type: duration,
    help: 'timeout of the etcd readiness check',
    set: (ms, { storage }) => etcdOptions(storage, { readyCheckTimeoutMs: notNegative(ms) || defaultCheckTimeoutMs }),
  }),
  flag('etcd-servers', {
    type: strings,
    help: 'comma-separated URLs of etcd, such as https://10.0.0.1:2379; without them the embedded store is used',
    set: (servers, { storage }) => etcdOptions(storage, { servers: servers.map(etcdServer) }),
  }),
  flag('etcd-servers-overrides', {
    type: strings,
    help: 'comma-separated resources stored in another etcd, as /events#http://10.0.0.1:2379;http://10.0.0.2:2379',
    set: (texts, { storage }) => etcdOptions(storage, { overrides: texts.map(etcdOverride) }),
  }),
  flag('event-ttl', {
    type: duration,
    help: 'how long events are kept; less than a second: always',
    set: (ms, { storage }) => ({ storage: { ...storage, eventTtlSeconds: notNegative(Math.floor(ms / 1_000)) } }),
  }),
  flag('feature-gates', {
    type: componentStrings,
    help: 'feature gates to enable or disable, as Gate=true,Other=false',
    set: (gates, { api }) => ({ api: { ...api, featureGates: booleanMap(stringMap(gates)) } }),
  }),
  flag('kubernetes-service-node-port', {
    type: integer,
    help: 'node port of the service kubernetes; 0: none',
    set: (serviceNodePort, { serving }) => ({ serving: { ...serving, serviceNodePort: port(serviceNodePort) } }),
  }),
  flag('lease-reuse-duration-seconds', {
    type: integer,
    help: 'how many seconds longer than --event-ttl events may stay in etcd because they share leases',
    set: (seconds, { storage }) => etcdOptions(storage, { leaseReuseSeconds: notNegative(seconds) }),
  }),
  flag('max-connection-bytes-per-sec', {
    type: integer,
    help: 'limit of streams to nodes, pods and services (exec, attach, port-forward, upgrades), in each direction; 0 for none',
    set: (maxConnectionBytesPerSec, { requests }) => ({ requests: { ...requests, maxConnectionBytesPerSec } }),
  }),
  flag('max-mutating-requests-inflight', {
    type: integer,
    help: 'maximum number of writes at a time, 0 for none; with priority and fairness it is added to --max-requests-inflight',
    set: (count, { requests }) => ({
      requests: { ...requests, maxMutatingInFlight: requestLimit(count, '--max-mutating-requests-inflight') },
    }),
  }),
  flag('max-requests-inflight', {
    type: integer,
    help: 'maximum number of reads at a time, 0 for none; with priority and fairness, both limits together are the seats for requests',
    set: (count, { requests }) => ({
      requests: { ...requests, maxReadOnlyInFlight: requestLimit(count, '--max-requests-inflight') },
    }),
  }),
  flag('runtime-config', {
    type: configurationMap,
    help: 'API versions to enable or disable, as apps/v1=true,api/beta=false',
    set: (versions, { api }) => ({ api: { ...api, runtimeConfig: booleanMap(versions) } }),
  }),
  flag('service-account-extend-token-expiration', {
    type: boolean,
    help: 'extend mounted tokens to a year, for programs that do not reload them',
    set: (extendExpiration, { authentication }) => accountOptions(authentication, { extendExpiration }),
  }),
  flag('service-account-issuer', {
    type: stringArray,
    help: 'issuer of service account tokens; new tokens name the first one, tokens of all are accepted',
    set: (issuers, { authentication }) => accountOptions(authentication, { issuers: issuers.map(issuer) }),
  }),
  flag('service-account-jwks-uri', {
    type: string,
    help: 'URL of the keys of service account tokens, if not at this server',
    set: (jwksUri, { authentication }) => accountOptions(authentication, { jwksUri }),
  }),
  flag('service-account-key-file', {
    type: stringArray,
    help: 'PEM file of keys that verify service account tokens; default: the signing key',
    set: (files, { authentication }) =>
      accountOptions(authentication, { keyFiles: files.map((file) => resolve(file)) }),
  }),
  flag('service-account-lookup', {
    type: boolean,
    help: 'accept tokens of secrets only while the secret contains them',
    set: (lookup, { authentication }) => accountOptions(authentication, { lookup }),
  }),
  flag('service-account-max-token-expiration', {
    type: duration,
    help: 'maximum lifetime of service account tokens; 0: as requested',
    set: (ms, { authentication }) => accountOptions(authentication, { maxExpirationSeconds: maxExpiration(ms) }),
  }),
  flag('service-account-signing-endpoint', {
    type: string,
    help: 'socket of a process that signs service account tokens; a name after @ is that of an abstract one',
    set: (endpoint, { authentication }) => accountOptions(authentication, { signingEndpoint: endpoint }),
  }),
  flag('service-account-signing-key-file', {
    type: string,
    help: 'PEM file of the key that signs service account tokens (default: generated next to the certificates)',
    ownDefault: true,
    set: (file, { authentication }) => accountOptions(authentication, { signingKeyFile: resolve(file) }),
  }),
  flag('service-cluster-ip-range', {
    type: string,
    help: 'range of service addresses; for dual stack, two of different families separated by a comma',
    set: (text, { api }) => ({ api: { ...api, serviceClusterIpRanges: text.split(',').map(cidr) } }),
  }),
  flag('service-node-port-range', {
    type: portRange,
    help: 'range of node ports for services',
    set: (serviceNodePortRange, { api }) => ({ api: { ...api, serviceNodePortRange } }),
  }),
  flag('storage-backend', {
    type: string,
    help: 'etcd3, for --etcd-servers',
    set: storageBackend,
  }),
  flag('storage-media-type', {
    type: string,
    help: 'media type of objects written to etcd (default: application/json); JSON and protobuf are both read',
    values: () => storageMediaTypes,
    ownDefault: true,
    set: (text, { storage }) => etcdOptions(storage, { mediaType: storageMediaType(text) }),
  }),
  flag('token-auth-file', {
    type: string,
    help: 'CSV file of static tokens: token, user name, user UID, "group,group"',
    set: (file, { authentication }) => ({ authentication: { ...authentication, tokenAuthFile: resolve(file) } }),
  }),
  flag('watch-cache', {
    type: boolean,
    help: 'return lists of any version without pagination; if false, limit applies to them too',
    set: (enabled, { storage }) => ({ storage: { ...storage, watchCache: { ...storage.watchCache, enabled } } }),
  }),
  flag('watch-cache-sizes', {
    type: strings,
    help: 'resources without a watch cache, as pods#0,deployments.apps#0; other sizes are ignored',
    set: (texts, { storage }) => {
      const sizes = new Map([...storage.watchCache.sizes, ...texts.map(watchCacheSize)]);
      return { storage: { ...storage, watchCache: { ...storage.watchCache, sizes } } };
    },
  }),
];

function watchCacheSize(text: string): readonly [resource: string, size: number] {
  const [resource, size, ...more] = text.split('#');
  if (resource === undefined || size === undefined || more.length > 0) {
    throw new FlagValueError(`invalid value of watch cache size: ${text}`);
  }
  if (!/^[+-]?\d+$/.test(size)) throw new FlagValueError(`invalid size of watch cache size: ${text}`);
  if (Number(size) < 0) throw new FlagValueError(`watch cache size cannot be negative: ${text}`);
  return [resource, Number(size)];
}

function requestLimit(value: number, flagName: string): number {
  if (value < 0) throw new UsageError(`${flagName} can not be negative value`);
  return value;
}

function notNegative(value: number): number {
  if (value < 0) throw new FlagValueError('the value must not be negative');
  return value;
}

/** The reference takes 0 for its default. */
const defaultCheckTimeoutMs = 2_000;

function etcdOptions(storage: StorageConfig, changes: Partial<EtcdConfig>): Partial<ServerConfig> {
  return { storage: { ...storage, etcd: { ...storage.etcd, ...changes } } };
}

function accountOptions(
  authentication: ServerConfig['authentication'],
  changes: Partial<ServiceAccountConfig>,
): Partial<ServerConfig> {
  return { authentication: { ...authentication, serviceAccounts: { ...authentication.serviceAccounts, ...changes } } };
}

/** As in the reference, a value with a colon must be a URL. */
function issuer(text: string): string {
  if (text === '') throw new FlagValueError('service-account-issuer contained a duplicate or empty value');
  if (text.includes(':') && URL.parse(text) === null) throw new FlagValueError(`"${text}" is not a URL`);
  return text;
}

const leastExpirationMs = 3_600_000;

function maxExpiration(ms: number): number {
  if (ms !== 0 && (ms < leastExpirationMs || ms > 2 ** 32 * 1_000)) {
    throw new FlagValueError('the service-account-max-token-expiration must be between 1 hour and 2^32 seconds');
  }
  return ms / 1_000;
}

function etcdServer(text: string): string {
  if (!/^(?:https?:\/\/|unixs?:\/\/)?[^\s]+$/.test(text)) {
    throw new FlagValueError(`"${text}" is not an address such as https://10.0.0.1:2379`);
  }
  return text;
}

function etcdOverride(text: string): EtcdOverride {
  const [, group, resource, servers] = /^([^/#]*)\/([^/#]*)#([^#]+)$/.exec(text) ?? [];
  if (group === undefined || resource === undefined || servers === undefined) {
    throw new FlagValueError(`"${text}" is not of the form group/resource#servers, with semicolons between servers`);
  }
  return { group, resource, servers: servers.split(';').map(etcdServer) };
}

function storageBackend(name: string): Partial<ServerConfig> {
  if (name !== '' && name !== 'etcd3') throw new FlagValueError(`unknown storage backend "${name}", must be etcd3`);
  return {};
}

function endpointReconcilerType(text: string): EndpointReconcilerType {
  const types = Object.keys(endpointReconcilers) as EndpointReconcilerType[]; // keys of a constant
  const found = types.find((type) => type === text);
  if (found === undefined) throw new FlagValueError(`must be one of ${types.join(', ')}`);
  return found;
}

function positive(value: number): number {
  if (value <= 0) throw new FlagValueError(`${value} is not a positive number`);
  return value;
}

/** Empty: JSON, as in kube-apiserver. */
function storageMediaType(text: string): StorageMediaType {
  if (text === '') return 'application/json';
  const found = storageMediaTypes.find((type) => type === text);
  if (found === undefined) throw new FlagValueError(`must be one of ${storageMediaTypes.join(', ')}`);
  return found;
}

/** An omitted value (`apps/v1=`) means true. */
function booleanMap(texts: ReadonlyMap<string, string>): ReadonlyMap<string, boolean> {
  return new Map([...texts].map(([key, text]) => [key, text === '' || parseBoolean(text)]));
}

/** The first address is the API server's own, so fewer than 8 addresses are refused, as in the reference. */
function cidr(text: string): string {
  const range = parseIpRange(text);
  if (!range || sizeOfRange(range) < 8n)
    throw new FlagValueError(`"${text}" is not a range such as 10.0.0.0/24 of at least 8 addresses`);
  return text;
}
