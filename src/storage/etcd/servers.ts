import { readFileSync } from 'node:fs';
import { type ChannelCredentials, credentials } from '@grpc/grpc-js';
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
}

const defaultPort = 2379;

/** Throws a StorageError for what is no address. As etcd's own client: without a scheme, TLS is used when there are TLS files. */
export function parseServer(text: string, hasTlsFiles: boolean): EtcdServer {
  const [, scheme = '', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/s.exec(text.trim()) ?? [];
  if (scheme === 'unix' || scheme === 'unixs') {
    return { name: text, target: `unix:${rest}`, tls: scheme === 'unixs' || hasTlsFiles };
  }
  const [, host = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^/:[\]]+)(?::(\d+))?\/*$/.exec(rest) ?? [];
  if (host === '' || !['', 'http', 'https'].includes(scheme) || Number(port ?? defaultPort) > 65_535) {
    throw new StorageError(
      'unavailable',
      `"${text}" is not the address of an etcd server such as http://127.0.0.1:2379`,
    );
  }
  const tls = scheme === 'https' || (scheme === '' && hasTlsFiles);
  return { name: text, target: `dns:${host}:${port ?? defaultPort}`, tls };
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
  return ({ tls }) => (tls ? credentials.createSsl(authority, key, certificate) : credentials.createInsecure());
}
