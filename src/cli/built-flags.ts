import { resolve } from 'node:path';
import { parseIpRange, sizeOfRange } from '../api/ip-address.ts';
import type { ServiceAccountConfig } from '../authentication/service-account/account-tokens.ts';
import {
  type EtcdConfig,
  type EtcdOverride,
  type ServerConfig,
  type StorageConfig,
  type StorageMediaType,
  storageMediaTypes,
} from '../server/config.ts';
import { cipherSuites } from '../server/cipher-suites.ts';
import {
  boolean,
  componentStrings,
  duration,
  FlagValueError,
  integer,
  ipAddress,
  parseBoolean,
  portRange,
  string,
  stringArray,
  stringMap,
  strings,
} from './flag-types.ts';
import type { SniCertificateConfig } from '../server/sni-certificates.ts';
import { endpointReconcilers, type EndpointReconcilerType } from '../server/services/endpoint-reconcilers.ts';
import { aggregationFlags } from './aggregation-flags.ts';
import { auditFlags } from './audit-flags.ts';
import { authenticationFlags } from './authentication-flags.ts';
import { authorizationFlags } from './authorization-flags.ts';
import { controllerFlags } from './controller-flags.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { metricsFlags } from './metrics-flags.ts';
import { withoutEdges } from '../api/text-edges.ts';

/** To build a flag, honour its field in `server/` and add a row here. */
export const builtFlags: readonly BuiltFlag[] = [
  ...aggregationFlags,
  ...auditFlags,
  ...authenticationFlags,
  ...authorizationFlags,
  ...controllerFlags,
  ...metricsFlags,
  flag('admission-control-config-file', {
    type: string,
    help: 'file of an AdmissionConfiguration: what admission plugins are configured with',
    set: (file, { admission }) => ({
      admission: { ...admission, configFile: file === '' ? undefined : resolve(file) },
    }),
  }),
  flag('advertise-address', {
    type: ipAddress,
    help: 'address under which others reach this server',
    set: (advertiseAddress, { serving }) => ({ serving: { ...serving, advertiseAddress } }),
  }),
  flag('allow-privileged', {
    type: boolean,
    help: 'let containers ask for all rights of their node',
    set: (allowPrivileged, { api }) => ({ api: { ...api, allowPrivileged } }),
  }),
  flag('anonymous-auth', {
    type: boolean,
    help: 'take requests without credentials as system:anonymous; otherwise they are answered 401',
    set: (anonymous, { authentication }) => ({
      authentication: { ...authentication, anonymous, anonymousGiven: true },
    }),
  }),
  flag('api-audiences', {
    type: strings,
    help: 'whom service account tokens must be meant for; the issuers unless given',
    set: (audiences, { authentication }) => accountOptions(authentication, { audiences }),
  }),
  flag('apiserver-count', {
    type: integer,
    help: 'how many servers there are, for --endpoint-reconciler-type=master-count',
    ownType: 'int',
    set: (count, { serving }) => ({ serving: { ...serving, serverCount: positive(count) } }),
  }),
  flag('bind-address', {
    type: ipAddress,
    help: 'address to listen on; 0.0.0.0 and :: mean all interfaces of both address families',
    set: (bindAddress, { serving }) => ({ serving: { ...serving, bindAddress } }),
  }),
  flag('cert-dir', {
    type: string,
    help: 'folder of the made certificates (default: pki in the data directory)',
    ownDefault: true,
    set: (folder, { serving }) => ({ serving: { ...serving, certDir: resolve(folder) } }),
  }),
  flag('client-ca-file', {
    type: string,
    help: 'PEM file of further authorities of client certificates',
    set: (file, { authentication }) => ({ authentication: { ...authentication, clientCaFile: resolve(file) } }),
  }),
  flag('default-not-ready-toleration-seconds', {
    type: integer,
    help: 'seconds that pods that do not say stay on a node that is not ready',
    set: (notReady, { admission }) => ({
      admission: { ...admission, tolerationSeconds: { ...admission.tolerationSeconds, notReady } },
    }),
  }),
  flag('default-unreachable-toleration-seconds', {
    type: integer,
    help: 'seconds that pods that do not say stay on a node that cannot be reached',
    set: (unreachable, { admission }) => ({
      admission: { ...admission, tolerationSeconds: { ...admission.tolerationSeconds, unreachable } },
    }),
  }),
  flag('disable-admission-plugins', {
    type: strings,
    help: 'admission plugins not to ask although they are on by default',
    set: (disablePlugins, { admission }) => ({ admission: { ...admission, disablePlugins } }),
  }),
  flag('disable-http2-serving', {
    type: boolean,
    help: 'serve HTTP/1.1 only',
    set: (disabled, { serving }) => ({ serving: { ...serving, http2: !disabled } }),
  }),
  flag('emulated-version', {
    type: strings,
    help: 'Kubernetes release to behave as, such as 1.37',
    set: (versions, { api }) => ({ api: { ...api, emulatedVersion: releaseVersion(versions) } }),
  }),
  flag('emulation-forward-compatible', {
    type: boolean,
    help: 'with --emulated-version: serve newer versions too of what is served, but for alpha versions',
    set: (emulationForwardCompatible, { api }) => ({ api: { ...api, emulationForwardCompatible } }),
  }),
  flag('enable-admission-plugins', {
    type: strings,
    help: 'admission plugins to ask beside those that are on by default; their order is fixed',
    set: (enablePlugins, { admission }) => ({ admission: { ...admission, enablePlugins } }),
  }),
  flag('endpoint-reconciler-type', {
    type: string,
    help: 'who is among the endpoints of the service kubernetes: those with a lease in the store (lease), so many as there are said to be (master-count), or whoever else writes them (none)',
    set: (text, { serving }) => ({ serving: { ...serving, endpointReconciler: endpointReconcilerType(text) } }),
  }),
  flag('etcd-cafile', {
    type: string,
    help: 'PEM file of the authorities that sign the certificates of etcd',
    set: (file, { storage }) => etcdOptions(storage, { caFile: fileOrNone(file) }),
  }),
  flag('etcd-certfile', {
    type: string,
    help: 'PEM file of the certificate that etcd is shown',
    set: (file, { storage }) => etcdOptions(storage, { certFile: fileOrNone(file) }),
  }),
  flag('etcd-compaction-interval', {
    type: duration,
    help: 'how often history is forgotten, of which one to two intervals stay; 0: never',
    set: (ms, { storage }) => ({ storage: { ...storage, compactionIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-count-metric-poll-period', {
    type: duration,
    help: 'how old the numbers of objects in /metrics may be; 0: there are none',
    set: (ms, { storage }) => ({ storage: { ...storage, countIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-db-metric-poll-interval', {
    type: duration,
    help: 'how old the size of the store in /metrics may be; 0: there is none',
    set: (ms, { storage }) => ({ storage: { ...storage, sizeIntervalMs: notNegative(ms) } }),
  }),
  flag('etcd-healthcheck-timeout', {
    type: duration,
    help: 'how long the health check of etcd waits',
    set: (ms, { storage }) => etcdOptions(storage, { healthCheckTimeoutMs: notNegative(ms) || defaultCheckTimeoutMs }),
  }),
  flag('etcd-keyfile', {
    type: string,
    help: 'PEM file of the key of --etcd-certfile',
    set: (file, { storage }) => etcdOptions(storage, { keyFile: fileOrNone(file) }),
  }),
  flag('etcd-prefix', {
    type: string,
    help: 'prefix of all keys in the store',
    set: (prefix, { storage }) => ({ storage: { ...storage, prefix: `/${withoutEdges(prefix, '/')}` } }),
  }),
  flag('etcd-readycheck-timeout', {
    type: duration,
    help: 'how long the readiness check of etcd waits',
    set: (ms, { storage }) => etcdOptions(storage, { readyCheckTimeoutMs: notNegative(ms) || defaultCheckTimeoutMs }),
  }),
  flag('etcd-servers', {
    type: strings,
    help: 'addresses of etcd, as https://10.0.0.1:2379, separated by commas; without them the embedded store is used',
    set: (servers, { storage }) => etcdOptions(storage, { servers: servers.map(etcdServer) }),
  }),
  flag('etcd-servers-overrides', {
    type: strings,
    help: 'resources that are kept in another etcd, as /events#http://10.0.0.1:2379;http://10.0.0.2:2379, separated by commas',
    set: (texts, { storage }) => etcdOptions(storage, { overrides: texts.map(etcdOverride) }),
  }),
  flag('event-ttl', {
    type: duration,
    help: 'how long events are kept',
    set: (ms, { storage }) => ({ storage: { ...storage, eventTtlSeconds: notNegative(Math.floor(ms / 1_000)) } }),
  }),
  flag('feature-gates', {
    type: componentStrings,
    help: 'gates to open or close, as Gate=true,Other=false',
    set: (gates, { api }) => ({ api: { ...api, featureGates: booleanMap(stringMap(gates)) } }),
  }),
  flag('http2-max-streams-per-connection', {
    type: integer,
    help: 'concurrent streams that one HTTP/2 connection may open; 0: as many as usual',
    set: (streams, { serving }) =>
      streams === 0 ? {} : { serving: { ...serving, http2MaxStreamsPerConnection: notNegative(streams) } },
  }),
  flag('kubernetes-service-node-port', {
    type: integer,
    help: 'port of the nodes at which the service kubernetes is reached; 0: none',
    set: (serviceNodePort, { serving }) => ({ serving: { ...serving, serviceNodePort: port(serviceNodePort) } }),
  }),
  flag('lease-reuse-duration-seconds', {
    type: integer,
    help: 'how much longer than --event-ttl events may stay in etcd, because they share leases',
    set: (seconds, { storage }) => etcdOptions(storage, { leaseReuseSeconds: notNegative(seconds) }),
  }),
  flag('livez-grace-period', {
    type: duration,
    help: 'how long /livez holds while the server has not finished starting',
    set: (ms, { shutdown }) => ({ shutdown: { ...shutdown, livezGracePeriodMs: notNegative(ms) } }),
  }),
  flag('min-request-timeout', {
    type: integer,
    help: 'seconds that a watch lasts at least when it names no timeout',
    set: (seconds, { requests }) => ({ requests: { ...requests, minWatchTimeoutMs: notNegative(seconds) * 1_000 } }),
  }),
  flag('request-timeout', {
    type: duration,
    help: 'deadline of every request that is not long-running',
    set: (timeoutMs, { requests }) => ({ requests: { ...requests, timeoutMs: notNegative(timeoutMs) } }),
  }),
  flag('runtime-config', {
    type: stringMap,
    help: 'API versions to serve or not, as apps/v1=true,api/beta=false',
    set: (versions, { api }) => ({ api: { ...api, runtimeConfig: booleanMap(versions) } }),
  }),
  flag('runtime-config-emulation-forward-compatible', {
    type: boolean,
    help: 'with --emulated-version: serve what --runtime-config names although it is newer',
    set: (runtimeConfigEmulationForwardCompatible, { api }) => ({
      api: { ...api, runtimeConfigEmulationForwardCompatible },
    }),
  }),
  flag('secure-port', {
    type: integer,
    help: 'port to listen on; 0: any free one',
    set: (securePort, { serving }) => ({ serving: { ...serving, securePort: port(securePort) } }),
  }),
  flag('service-account-extend-token-expiration', {
    type: boolean,
    help: 'let tokens that kubelets mount last a year, for programs that do not read them again',
    set: (extendExpiration, { authentication }) => accountOptions(authentication, { extendExpiration }),
  }),
  flag('service-account-issuer', {
    type: stringArray,
    help: 'issuer of service account tokens; the first signs, the tokens of all are taken',
    set: (issuers, { authentication }) => accountOptions(authentication, { issuers: issuers.map(issuer) }),
  }),
  flag('service-account-jwks-uri', {
    type: string,
    help: 'where others find the keys of service account tokens, unless at this server',
    set: (jwksUri, { authentication }) => accountOptions(authentication, { jwksUri }),
  }),
  flag('service-account-key-file', {
    type: stringArray,
    help: 'PEM file of keys that verify service account tokens; that of the signing key unless given',
    set: (files, { authentication }) =>
      accountOptions(authentication, { keyFiles: files.map((file) => resolve(file)) }),
  }),
  flag('service-account-lookup', {
    type: boolean,
    help: 'take tokens of secrets only as long as the secrets have them',
    set: (lookup, { authentication }) => accountOptions(authentication, { lookup }),
  }),
  flag('service-account-max-token-expiration', {
    type: duration,
    help: 'how long service account tokens last at most; 0: as long as they are asked for',
    set: (ms, { authentication }) => accountOptions(authentication, { maxExpirationSeconds: maxExpiration(ms) }),
  }),
  flag('service-account-signing-key-file', {
    type: string,
    help: 'PEM file of the key that signs service account tokens (default: one that is made beside the certificates)',
    ownDefault: true,
    set: (file, { authentication }) => accountOptions(authentication, { signingKeyFile: resolve(file) }),
  }),
  flag('service-cluster-ip-range', {
    type: string,
    help: 'range of the addresses of services; two of different families, separated by a comma, for dual stack',
    set: (text, { api }) => ({ api: { ...api, serviceClusterIpRanges: text.split(',').map(cidr) } }),
  }),
  flag('service-node-port-range', {
    type: portRange,
    help: 'ports that services may take on nodes',
    set: (serviceNodePortRange, { api }) => ({ api: { ...api, serviceNodePortRange } }),
  }),
  flag('shutdown-delay-duration', {
    type: duration,
    help: 'how long requests are still served after a signal, while /readyz fails',
    set: (ms, { shutdown }) => ({ shutdown: { ...shutdown, delayMs: notNegative(ms) } }),
  }),
  flag('storage-backend', {
    type: string,
    help: 'etcd3, for --etcd-servers',
    set: storageBackend,
  }),
  flag('storage-media-type', {
    type: string,
    help: 'what objects are written to etcd as, application/json unless given; both are read',
    ownDefault: true,
    set: (text, { storage }) => etcdOptions(storage, { mediaType: storageMediaType(text) }),
  }),
  flag('strict-transport-security-directives', {
    type: strings,
    help: 'directives of the header Strict-Transport-Security, as max-age=31536000,includeSubDomains; none: no such header',
    set: (texts, { serving }) => ({
      serving: { ...serving, transportSecurity: texts.map(transportSecurityDirective) },
    }),
  }),
  flag('tls-cert-file', {
    type: string,
    help: 'PEM file of the serving certificate and its intermediates',
    set: (file, { serving }) => ({ serving: { ...serving, tlsCertFile: resolve(file) } }),
  }),
  flag('tls-cipher-suites', {
    type: strings,
    help: 'cipher suites of TLS 1.2 to offer',
    set: (tlsCipherSuites, { serving }) => ({
      serving: { ...serving, tlsCipherSuites: tlsCipherSuites.map(cipherSuite) },
    }),
  }),
  flag('tls-min-version', {
    type: string,
    help: 'VersionTLS12 or VersionTLS13',
    set: (version, { serving }) => ({ serving: { ...serving, tlsMinVersion: tlsVersion(version) } }),
  }),
  flag('tls-private-key-file', {
    type: string,
    help: 'PEM file of the key of --tls-cert-file',
    set: (file, { serving }) => ({ serving: { ...serving, tlsPrivateKeyFile: resolve(file) } }),
  }),
  flag('tls-sni-cert-key', {
    type: stringArray,
    help: 'PEM files of a certificate and its key, and the names for which it is served, as foo.crt,foo.key:*.foo.com,foo.com; without names those in it',
    set: (texts, { serving }) => ({
      serving: { ...serving, sniCertificates: texts.filter((text) => text !== '[]').map(sniCertificate) },
    }),
  }),
  flag('token-auth-file', {
    type: string,
    help: 'CSV file of static tokens: token, user name, user uid, "group,group"',
    set: (file, { authentication }) => ({ authentication: { ...authentication, tokenAuthFile: resolve(file) } }),
  }),
  flag('v', {
    type: integer,
    help: 'how much is logged: 0 to 3 events, 4 and 5 also details, from 6 on everything',
    set: (verbosity) => ({ logging: { level: verbosity >= 6 ? 'trace' : verbosity >= 4 ? 'debug' : 'info' } }),
  }),
  flag('watch-cache', {
    type: boolean,
    help: 'answer lists of any version whole; otherwise they come in pages too',
    set: (enabled, { storage }) => ({ storage: { ...storage, watchCache: { ...storage.watchCache, enabled } } }),
  }),
  flag('watch-cache-sizes', {
    type: strings,
    help: 'resources without a watch cache, as pods#0,deployments.apps#0; other sizes mean nothing',
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

/** RFC 6797, section 6.1. */
function transportSecurityDirective(text: string): string {
  if (text === 'includeSubDomains' || text === 'preload' || /^max-age=[^=]*$/.test(text)) return text;
  throw new FlagValueError('invalid, allowed values: max-age=expireTime, includeSubDomains, preload');
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

function fileOrNone(file: string): string | undefined {
  return file === '' ? undefined : resolve(file);
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

function sniCertificate(text: string): SniCertificateConfig {
  const [files = '', names = ''] = text.split(/:(.*)/s);
  const [certFile = '', keyFile = '', ...more] = files.split(',');
  if (certFile === '' || keyFile === '' || more.length > 0) {
    throw new FlagValueError('expected comma separated certificate and key file paths');
  }
  const listed = names.split(',').map((name) => name.trim());
  return { certFile: resolve(certFile), keyFile: resolve(keyFile), names: listed.filter((name) => name !== '') };
}

function storageBackend(name: string): Partial<ServerConfig> {
  if (name !== '' && name !== 'etcd3')
    throw new FlagValueError(`there is no storage backend "${name}"; there is etcd3`);
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

function storageMediaType(text: string): StorageMediaType {
  const found = storageMediaTypes.find((type) => type === text);
  if (found === undefined) throw new FlagValueError(`must be one of ${storageMediaTypes.join(', ')}`);
  return found;
}

function port(value: number): number {
  if (value < 0 || value > 65_535) throw new FlagValueError(`${value} is not a port`);
  return value;
}

/** An omitted value (`apps/v1=`) means true. */
function booleanMap(texts: ReadonlyMap<string, string>): ReadonlyMap<string, boolean> {
  return new Map([...texts].map(([key, text]) => [key, text === '' || parseBoolean(text)]));
}

/** The last one of `1.37`, `v1.37` or `kube=1.37`. */
function releaseVersion(texts: readonly string[]): string {
  const text = texts.at(-1) ?? '';
  const match = /^(?:kube=)?v?(\d+\.\d+)(?:\.0)?$/.exec(text);
  if (!match?.[1]) throw new FlagValueError(`"${text}" is not a release such as 1.37`);
  return match[1];
}

/** The first address is the API server's own, so fewer than 8 addresses are refused, as in the reference. */
function cidr(text: string): string {
  const range = parseIpRange(text);
  if (!range || sizeOfRange(range) < 8n)
    throw new FlagValueError(`"${text}" is not a range such as 10.0.0.0/24 of at least 8 addresses`);
  return text;
}

function cipherSuite(name: string): string {
  if (!cipherSuites.has(name)) throw new FlagValueError(`Cipher suite ${name} not supported or doesn't exist`);
  return name;
}

const tlsVersions: ReadonlyMap<string, 'TLSv1.2' | 'TLSv1.3'> = new Map([
  ['VersionTLS12', 'TLSv1.2'],
  ['VersionTLS13', 'TLSv1.3'],
]);

function tlsVersion(name: string): 'TLSv1.2' | 'TLSv1.3' {
  const version = tlsVersions.get(name);
  if (!version) throw new FlagValueError(`"${name}" is neither VersionTLS12 nor VersionTLS13`);
  return version;
}
