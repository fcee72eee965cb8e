import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { StorageError } from '../contract.ts';
import type { GrpcAddress } from './grpc-connection.ts';

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

/** One member. */
export interface EtcdServer {
  /** As configured. */
  readonly name: string;
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly tls: boolean;
}

const defaultPort = 2379;

/**
 * Throws a StorageError for an invalid address. As in etcd's own client, TLS is used without a scheme if there are TLS
 * files.
 */
export function parseServer(text: string, hasTlsFiles: boolean): EtcdServer {
  const [, scheme = '', rest = ''] = /^(?:([a-z]+):\/\/)?(.*)$/s.exec(text.trim()) ?? [];
  if (scheme === 'unix' || scheme === 'unixs') {
    return { name: text, at: { path: rest }, tls: scheme === 'unixs' || hasTlsFiles };
  }
  const [, host = '', port] = /^(\[[0-9a-fA-F:.]+\]|[^/:[\]]+)(?::(\d+))?\/*$/.exec(rest) ?? [];
  if (host === '' || !['', 'http', 'https'].includes(scheme) || Number(port ?? defaultPort) > 65_535) {
    throw new StorageError(
      'unavailable',
      `"${text}" is not the address of an etcd server such as http://127.0.0.1:2379`,
    );
  }
  const tls = scheme === 'https' || (scheme === '' && hasTlsFiles);
  return { name: text, at: { host: host.replace(/^\[|\]$/g, ''), port: Number(port ?? defaultPort) }, tls };
}

export function serversOf({ servers, caFile, certFile, keyFile }: EtcdConnection): readonly EtcdServer[] {
  const hasTlsFiles = [caFile, certFile, keyFile].some((file) => file !== undefined);
  return servers.map((text) => parseServer(text, hasTlsFiles));
}

/** How to connect to members. Reads the files once; throws if one cannot be read. */
export function addressesOf({ caFile, certFile, keyFile }: EtcdConnection): (server: EtcdServer) => GrpcAddress {
  const read = (file: string | undefined): Buffer | undefined => (file === undefined ? undefined : readFileSync(file));
  const [ca, cert, key] = [read(caFile), read(certFile), read(keyFile)];
  // As in Go, the trusted may also be intermediates or the servers' own certificates.
  const secureContext = createSecureContext({ ca, cert, key, allowPartialTrustChain: true });
  return ({ at, tls }) => {
    const host = 'path' in at ? 'localhost' : at.host;
    const port = 'path' in at ? '' : `:${at.port}`;
    const origin = `${tls ? 'https' : 'http'}://${isIP(host) === 6 ? `[${host}]` : host}${port}`;
    if (!tls) return { origin, open: () => connectTcp(at) };
    // Names are sent to the server and addresses are not, as it has to be; either is looked for in the certificate.
    const names = { host, ...(isIP(host) === 0 ? { servername: host } : {}) };
    return { origin, open: () => connectTls({ ...names, ...at, secureContext, ALPNProtocols: ['h2'] }) };
  };
}
