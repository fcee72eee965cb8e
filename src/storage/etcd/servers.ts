import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import { type ChannelCredentials, type ChannelOptions, credentials } from '@grpc/grpc-js';
import { StorageError } from '../contract.ts';

/** How to reach the members of an etcd cluster. */
export interface EtcdConnection {
  /** As `--etcd-servers` has them: `https://10.0.0.1:2379`, `http://127.0.0.1:2379`, `unix:///run/etcd.sock`. At least one. */
  readonly servers: readonly string[];
  /** PEM files: the authorities to trust, the client's certificate and its key. */
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** Where gRPC finds one member. */
export interface EtcdServer {
  /** As written. */
  readonly name: string;
  /** gRPC's name of it: `dns:10.0.0.1:2379`. */
  readonly target: string;
  readonly tls: boolean;
  /** The name or address that its certificate must be for. */
  readonly host: string;
}

const defaultPort = 2379;

/** Throws a StorageError for what is no address. As etcd's own client: without a scheme, TLS is used when there are TLS files. */
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
  const read = (file: string | undefined): Buffer | null => (file === undefined ? null : readFileSync(file));
  const [authority, certificate, key] = [read(caFile), read(certFile), read(keyFile)];
  return ({ tls, host }) => {
    if (!tls) return credentials.createInsecure();
    const checkHost = { checkServerIdentity: (_: string, shown: PeerCertificate) => checkServerIdentity(host, shown) };
    return credentials.createSsl(authority, key, certificate, isIP(host) === 0 ? {} : checkHost);
  };
}

/** TLS asks for no address by name, and grpc-js would: it asks for any name, and the address is looked for in the certificate that comes. */
export function nameOptions({ tls, host }: EtcdServer): ChannelOptions {
  return tls && isIP(host) !== 0 ? { 'grpc.ssl_target_name_override': 'etcd' } : {};
}
