import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { SecureServerOptions } from 'node:http2';
import { addressInRange, formatIpAddress, parseIpRange } from '../../api/values/ip-address.ts';
import { type Clock, systemClock } from '../../api/time/clock.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { readAuthorities } from '../../authentication/client-authorities.ts';
import { openCertificateStore, operatorsServingFiles } from '../../authentication/pki/certificate-store.ts';
import { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { ServerNames } from '../../codec/x509/issue-certificate.ts';
import { writeKubeconfig } from '../../authentication/pki/kubeconfig.ts';
import { openSslCiphers } from './cipher-suites.ts';
import type { ServerConfig } from '../config.ts';
import { SniCertificates } from './sni-certificates.ts';

/** Certificates and TLS options for the listener. */
export interface Serving {
  /**
   * For `http2.createSecureServer`. Client certificates are requested but optional: `socket.authorized` tells whether
   * one is valid.
   */
  readonly tls: SecureServerOptions;
  /** Calls `changed` with new options when the underlying files change. */
  follow(changed: (tls: SecureServerOptions) => void): void;
  /** Throws if the generated certificate, if in use, has expired: a restart generates another one. */
  checkCertificate(): void;
  /** PEM of the CA of the generated certificates. */
  readonly authority: string;
  /** PEM by which pods trust the server: its CA, or the operator's certificate. */
  readonly rootCa: string;
  /** Addresses to listen on, in order: the next one is tried if the machine lacks the address family. */
  readonly listenAddresses: readonly string[];
  /** The server's URL for clients on this machine, once the port is known. */
  url(port: number): string;
  /** Writes the administrator's kubeconfig and returns its path. */
  writeAdminKubeconfig(port: number): Promise<string>;
}

/** Directory of generated keys and certificates. */
export function pkiFolder({ serving, dataDir }: ServerConfig): string {
  return serving.certDir ?? join(dataDir, 'pki');
}

/** Undefined where flags name the certificate that other API servers are shown, or the authorities they trust. */
export function frontProxyOf(config: ServerConfig, clock: Clock): FrontProxy | undefined {
  const { aggregation, authentication } = config;
  const isGiven = aggregation.proxyClientCertFile ?? authentication.requestHeader.clientCaFile;
  return isGiven === undefined ? new FrontProxy(pkiFolder(config), clock) : undefined;
}

export async function prepareServing(
  config: ServerConfig,
  context: PartContext,
  ticketKeys?: Buffer,
): Promise<Serving> {
  const { serving, dataDir, control } = config;
  const folder = pkiFolder(config);
  const listeners: ((tls: SecureServerOptions) => void)[] = [];
  const servingFiles = await servingFilesOf(config);
  const [certificates, sni, rootFile, files] = await Promise.all([
    openCertificateStore({ folder, serverNames: serverNames(config), clock: systemClock }),
    SniCertificates.read(serving.sniCertificates, context),
    control.rootCaFile === undefined ? undefined : context.readFile(control.rootCaFile),
    readTlsFiles({ ...config, serving: { ...serving, ...servingFiles } }, context, () => {
      sni.forget();
      const tls = tlsOf();
      // Throws for an invalid certificate or a mismatched key: the current pair then stays in use.
      createSecureContext(tls);
      for (const changed of listeners) changed(tls);
    }),
  ]);
  const byName: SecureServerOptions['SNICallback'] = (name, done) => done(null, sni.contextFor(name, tlsOf));
  const tlsOf = (): SecureServerOptions => ({
    allowHTTP1: true,
    ...(ticketKeys === undefined ? {} : { ticketKeys }),
    ...(serving.http2 ? {} : { ALPNProtocols: ['http/1.1'] }),
    cert: files.certificate ?? certificates.server.certificate,
    key: files.key ?? certificates.server.key,
    ca: [certificates.authority, files.clientCa, files.proxyCa].filter((each) => each !== undefined),
    ...(sni.isEmpty ? {} : { SNICallback: byName }),
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: serving.tlsMinVersion,
    ...(serving.tlsCurves.length === 0 ? {} : { ecdhCurve: serving.tlsCurves.join(':') }),
    ciphers: openSslCiphers(serving.tlsCipherSuites),
    settings: { maxConcurrentStreams: serving.http2MaxStreamsPerConnection },
  });
  const { certificate: own } = files;
  const madeUntilMs = new X509Certificate(certificates.server.certificate).validToDate.getTime();
  const url = (port: number) => `https://${urlHost(serving.bindAddress)}:${port}`;
  return {
    tls: tlsOf(),
    authority: certificates.authority,
    checkCertificate() {
      if (files.certificate === undefined && systemClock.now() > madeUntilMs)
        throw new Error('the generated certificate has expired');
    },
    rootCa: rootFile ?? own ?? certificates.authority,
    follow: (changed) => void listeners.push(changed),
    listenAddresses: isUnspecified(serving.bindAddress) ? ['::', '0.0.0.0'] : [serving.bindAddress],
    url,
    async writeAdminKubeconfig(port) {
      const path = join(dataDir, 'admin.kubeconfig');
      const trust = own === undefined ? { authority: certificates.authority } : trustInOwn(own, url(port));
      await writeKubeconfig({ path, serverUrl: url(port), user: certificates.admin, ...trust });
      return path;
    },
  };
}

/** Certificate files that flags name, or that are in `--cert-dir` under kube-apiserver's names. */
async function servingFilesOf({ serving }: ServerConfig): Promise<Partial<ServerConfig['serving']>> {
  if (serving.tlsCertFile !== undefined || serving.certDir === undefined) return {};
  const found = await operatorsServingFiles(serving.certDir);
  return found === undefined ? {} : { tlsCertFile: found.certificate, tlsPrivateKeyFile: found.key };
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** Local clients reach a server that listens on all interfaces through loopback. */
function urlHost(bindAddress: string): string {
  if (isUnspecified(bindAddress)) return '127.0.0.1';
  return isIP(bindAddress) === 6 ? `[${bindAddress}]` : bindAddress;
}

/** The names by which pods, this machine and others may address the server. */
function serverNames({ serving, api }: ServerConfig): ServerNames {
  const { bindAddress, advertiseAddress } = serving;
  const range = parseIpRange(api.serviceClusterIpRanges[0] ?? '');
  const dnsNames = [
    'localhost',
    'kubernetes',
    'kubernetes.default',
    'kubernetes.default.svc',
    'kubernetes.default.svc.cluster.local',
    hostname(),
  ];
  const ipAddresses = [
    '127.0.0.1',
    '::1',
    ...(range ? [formatIpAddress(addressInRange(range, 1n))] : []),
    ...(isUnspecified(bindAddress) ? [] : [bindAddress]),
    ...(advertiseAddress === undefined ? [] : [advertiseAddress]),
  ];
  return { dnsNames: [...new Set(dnsNames)], ipAddresses: [...new Set(ipAddresses)] };
}

/** Contents of the TLS files. */
interface TlsFiles {
  certificate?: string;
  key?: string;
  clientCa?: string;
  proxyCa?: string;
}

/** Reads the files, and again on changes. */
async function readTlsFiles(
  { serving, authentication }: ServerConfig,
  context: PartContext,
  changed: () => void,
): Promise<Readonly<TlsFiles>> {
  const files: TlsFiles = {};
  const read = async (part: keyof TlsFiles, path: string | undefined): Promise<void> => {
    if (path === undefined) return;
    const text = await context.readFile(path, (later) => {
      if (part === 'clientCa' || part === 'proxyCa') readAuthorities(path, later);
      files[part] = later;
      changed();
    });
    if (part === 'clientCa' || part === 'proxyCa') readAuthorities(path, text);
    files[part] = text;
  };
  await Promise.all([
    read('certificate', serving.tlsCertFile),
    read('key', serving.tlsPrivateKeyFile),
    read('clientCa', authentication.clientCaFile),
    read('proxyCa', authentication.requestHeader.clientCaFile),
  ]);
  return files;
}

/**
 * The CA of the operator's certificate is unknown, so the kubeconfig trusts the certificate itself, under one of its
 * names.
 */
function trustInOwn(certificate: string, url: string): { readonly authority: string; readonly tlsServerName?: string } {
  const { hostname: host } = new URL(url);
  const leaf = new X509Certificate(certificate);
  if (leaf.checkIP(host.replace(/^\[|\]$/g, '')) !== undefined) return { authority: certificate };
  const names = (leaf.subjectAltName ?? '').split(', ');
  const name = names.find((text) => text.startsWith('DNS:') && !text.includes('*'))?.slice('DNS:'.length);
  return name === undefined ? { authority: certificate } : { authority: certificate, tlsServerName: name };
}

/** The address for clients in the network: `192.0.2.1:6443`. */
export function serverAddress(serving: ServerConfig['serving']): string {
  const { externalHostname, advertiseAddress, bindAddress, securePort } = serving;
  if (externalHostname !== undefined) {
    return /:\d+$/.test(externalHostname) ? externalHostname : `${externalHostname}:${securePort}`;
  }
  const host = advertiseAddress ?? (isUnspecified(bindAddress) ? externalAddress() : bindAddress);
  return isIP(host) === 6 ? `[${host}]:${securePort}` : `${host}:${securePort}`;
}

/** The advertised address: loopback would be useless to other machines. */
export function advertisedHost({ advertiseAddress, bindAddress }: ServerConfig['serving']): string {
  if (advertiseAddress !== undefined) return advertiseAddress;
  const isLoopback = bindAddress.startsWith('127.') || bindAddress === '::1';
  return isLoopback || isUnspecified(bindAddress) ? externalAddress() : bindAddress;
}

function externalAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
