import { resolve } from 'node:path';

/** What of etcd's flags matters to what only holds its place. */
export interface EtcdArguments {
  readonly dataDir: string;
  readonly clientUrls: readonly URL[];
  /** false: `--unsafe-no-fsync`. */
  readonly syncs: boolean;
}

export class EtcdArgumentError extends Error {
  override readonly name = 'EtcdArgumentError';
  readonly code = 'ETCD_ARGUMENT';
}

/** etcd's flags that need no value. */
const booleanFlags = `auto-tls client-cert-auth debug discovery-insecure-skip-tls-verify discovery-insecure-transport
enable-distributed-tracing enable-grpc-gateway enable-log-rotation enable-pprof enable-v2 force-new-cluster
initial-election-tick-advance memory-mlock peer-auto-tls peer-client-cert-auth peer-skip-client-san-verification
pre-vote socket-reuse-address socket-reuse-port strict-reconfig-check unsafe-no-fsync`.split(/\s+/);

/** About members, the log of a cluster, its disk and its limits: there is none of that, so they have no effect. */
const valueFlags = `advertise-client-urls auth-token auth-token-ttl auto-compaction-mode auto-compaction-retention
backend-batch-interval backend-batch-limit backend-bbolt-freelist-type bcrypt-cost bootstrap-defrag-threshold-megabytes
cert-file cipher-suites client-cert-allowed-hostname client-cert-file client-crl-file client-key-file
compact-hash-check-time compaction-batch-limit compaction-sleep-interval config-file corrupt-check-time cors data-dir
discovery discovery-cacert discovery-cert discovery-dial-timeout discovery-endpoints discovery-fallback
discovery-keepalive-time discovery-keepalive-timeout discovery-key discovery-password discovery-proxy
discovery-request-timeout discovery-srv discovery-srv-name discovery-token discovery-user distributed-tracing-address
distributed-tracing-instance-id distributed-tracing-sampling-rate distributed-tracing-service-name downgrade-check-time
election-timeout feature-gates grpc-keepalive-interval grpc-keepalive-min-time grpc-keepalive-timeout heartbeat-interval
host-whitelist initial-advertise-peer-urls initial-cluster initial-cluster-state initial-cluster-token key-file
listen-client-http-urls listen-client-urls listen-metrics-urls listen-peer-urls log-format log-level log-outputs
log-package-levels log-rotation-config-json logger max-concurrent-streams max-learners max-request-bytes max-snapshots
max-txn-ops max-wals metrics name peer-cert-allowed-cn peer-cert-allowed-hostname peer-cert-file peer-client-cert-file
peer-client-key-file peer-crl-file peer-key-file peer-trusted-ca-file quota-backend-bytes raft-read-timeout
raft-write-timeout self-signed-cert-validity snapshot-catchup-entries snapshot-count tls-max-version tls-min-version
trusted-ca-file v2-deprecation wal-dir warning-apply-duration warning-unary-request-duration
watch-progress-notify-interval`.split(/\s+/);

const booleans = new Set(booleanFlags);
const values = new Set(valueFlags);

/** All flags of etcd, each as its help shows it. */
export const etcdHelp = `Usage: etcd [flags]

Holds the place of an etcd for Binnacle's kube-apiserver, whose store is in the data directory.

  --data-dir                 folder of the store; default: NAME.etcd
  --listen-client-urls       where it listens; default: http://localhost:2379
  --unsafe-no-fsync          does not wait for the disk

Without effect:

${[...booleanFlags, ...valueFlags]
  .filter((name) => !/^(data-dir|listen-client-urls|unsafe-no-fsync)$/.test(name))
  .toSorted()
  .map((name) => `  --${name}\n`)
  .join('')}`;

/** Reads flags as Go does, and variables such as `ETCD_DATA_DIR` in place of flags. Throws an EtcdArgumentError. */
export function etcdArguments(args: readonly string[], environment: NodeJS.ProcessEnv): EtcdArguments {
  const given = givenFlags(args);
  const valueOf = (name: string): string | undefined =>
    given.get(name) ?? environment[`ETCD_${name.toUpperCase().replaceAll('-', '_')}`];
  const name = valueOf('name') ?? 'default';
  const urls = valueOf('listen-client-urls') ?? 'http://localhost:2379';
  return {
    dataDir: resolve(valueOf('data-dir') ?? `${name}.etcd`),
    clientUrls: urls.split(',').map(clientUrl),
    syncs: !booleanOf('unsafe-no-fsync', valueOf('unsafe-no-fsync') ?? 'false'),
  };
}

function givenFlags(args: readonly string[]): ReadonlyMap<string, string> {
  const given = new Map<string, string>();
  for (let index = 0; index < args.length; index += 1) {
    const [, name, value] = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(args[index] ?? '') ?? [];
    if (name === undefined) throw new EtcdArgumentError(`'${args[index]}' is not a valid flag`);
    if (!booleans.has(name) && !values.has(name))
      throw new EtcdArgumentError(`flag provided but not defined: -${name}`);
    if (value !== undefined) given.set(name, value);
    else if (booleans.has(name)) given.set(name, 'true');
    else {
      index += 1;
      const next = args[index];
      if (next === undefined) throw new EtcdArgumentError(`flag needs an argument: -${name}`);
      given.set(name, next);
    }
  }
  return given;
}

function booleanOf(name: string, text: string): boolean {
  if (/^(1|t|true)$/i.test(text)) return true;
  if (/^(0|f|false)$/i.test(text)) return false;
  throw new EtcdArgumentError(`invalid boolean value "${text}" for -${name}`);
}

function clientUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null || url.port === '')
    throw new EtcdArgumentError(`--listen-client-urls: "${text}" is not a URL with a port`);
  if (url.protocol !== 'http:')
    throw new EtcdArgumentError(`--listen-client-urls: "${text}": only http, not TLS, leads to the place of a store`);
  return url;
}
