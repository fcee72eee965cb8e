import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, createSecureContext, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, type ChannelOptions, credentials } from '@grpc/grpc-js';
import { StorageError } from '../contract.ts';

/** How to reach the members of an etcd cluster. */
export interface EtcdConnection {
  /**
   * As in `--etcd-servers`: `https://10.0.0.1:2379`, `http://127.0.0.1:2379`, `unix:///run/etcd.sock`. At least one.
   */
  readonly servers: readonly string[];
  /** PEM files: trusted CAs, client certificate and key. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** The gRPC address of one member. */
export interface EtcdServer {
  /** As configured. */
  readonly name: string;
  /** The gRPC target: `dns:10.0.0.1:2379`. */
  readonly target: string;
  readonly tls: boolean;
  /** The name or address that its certificate must match. */
  readonly host: string;
}

const defaultPort = 2379;

/**
 * Throws a StorageError for an invalid address. As in etcd's own client, TLS is used without a scheme if there are TLS
 * files.
 */
export function parseServer(text: string, hasTlsFiles: boolean): EtcdServer {
  const [, scheme = '', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/s.exec(text.trim()) ?? [];
  if (scheme === 'unix' || scheme === 'unixs') {
    return { name: text, target: `unix:${rest}`, tls: scheme === 'unixs' || hasTlsFiles, host: 'localhost' };
  }
  const [, host = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^/:[\]]+)(?::(\d+))?\/*$/.exec(rest) ?? [];
  if (host === '' || !['', 'http', 'https'].includes(scheme) || Number(port ?? defaultPort) > 65_535) {
    throw new StorageError(
      'unavailable',
      `"${text}" is not the address of an etcd server such as http://127.0.0.1:2379`,
    );
  }
  const tls = scheme === 'https' || (scheme === '' && hasTlsFiles);
  return { name: text, target: `dns:${host}:${port ?? defaultPort}`, tls, host: host.replace(/^\[|\]$/g, '') };
}

export function serversOf({ servers, caFile, certFile, keyFile }: EtcdConnection): readonly EtcdServer[] {
  const hasTlsFiles = [caFile, certFile, keyFile].some((file) => file !== undefined);
  return servers.map((text) => parseServer(text, hasTlsFiles));
}

/** Reads the files once. */
export function credentialsOf({
  caFile,
  certFile,
  keyFile,
}: EtcdConnection): (server: EtcdServer) => ChannelCredentials {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const [ca, cert, key] = [read(caFile), read(certFile), read(keyFile)];
  return ({ tls, host }) => {
    if (!tls) return credentials.createInsecure();
    const checkHost = { checkServerIdentity: (_: string, shown: PeerCertificate) => checkServerIdentity(host, shown) };
    // As in Go, the trusted may also be intermediates or the servers' own certificates.
    const context = createSecureContext({ ca, cert, key, allowPartialTrustChain: true });
    return credentials.createFromSecureContext(context, isIP(host) === 0 ? {} : checkHost);
  };
}

/**
 * SNI does not allow addresses, but grpc-js would send them: use an arbitrary name, and verify the address against the
 * certificate.
 */
export function nameOptions({ tls, host }: EtcdServer): ChannelOptions {
  return tls && isIP(host) !== 0 ? { 'grpc.ssl_target_name_override': 'etcd' } : {};
}
