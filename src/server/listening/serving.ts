import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { SecureServerOptions } from 'node:http2';
import { addressInRange, formatIpAddress, parseIpRange } from '../../api/values/ip-address.ts';
import { systemClock } from '../../api/time/clock.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import { readAuthorities } from '../../authentication/client-authorities.ts';
import { openCertificateStore, operatorsServingFiles } from '../../authentication/pki/certificate-store.ts';
import { FrontProxy } from '../../authentication/pki/front-proxy.ts';
import type { ServerNames } from '../../codec/x509/issue-certificate.ts';
import { writeKubeconfig } from '../../authentication/pki/kubeconfig.ts';
import { openSslCiphers } from './cipher-suites.ts';
import type { ServerConfig } from '../config.ts';
import type { ServerIdentity } from './server-identity.ts';
import { SniCertificates } from './sni-certificates.ts';

/** Certificates and TLS options for the listener. */
export interface Serving {
  readonly identity: ServerIdentity;
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
  /** Writes the administrator's kubeconfig. */
  writeAdminKubeconfig(port: number): Promise<WrittenKubeconfig>;
}

/** A kubeconfig, and the absolute path of its file. */
export interface WrittenKubeconfig {
  readonly kubeconfig: string;
  readonly kubeconfigPath: string;
}

/** Directory of generated keys and certificates. */
export function pkiFolder({ serving, dataDir }: ServerConfig): string {
  return serving.certDir ?? join(dataDir, 'pki');
}

/** Reads the certificates, or generates them. */
async function openIdentity(config: ServerConfig): Promise<ServerIdentity> {
  const { aggregation, authentication, storage } = config;
  const files = { folder: pkiFolder(config), clock: systemClock, syncs: storage.syncs };
  const operatorsFiles = await operatorsFilesOf(config);
  const certificates = await openCertificateStore({ ...files, serverNames: serverNames(config) });
  const isGiven = aggregation.proxyClientCertFile ?? authentication.requestHeader.clientCaFile;
  return { certificates, operatorsFiles, frontProxy: isGiven === undefined ? new FrontProxy(files) : undefined };
}

export interface ServingOptions {
  /** By which clients resume TLS sessions; undefined: no other thread has them. */
  readonly ticketKeys?: Buffer | undefined;
  /** That of another server; undefined: what the certificate folder contains. */
  readonly identity?: ServerIdentity | undefined;
}

export async function prepareServing(
  config: ServerConfig,
  context: PartContext,
  { ticketKeys, identity: given }: ServingOptions,
): Promise<Serving> {
  const { serving, dataDir, control, storage } = config;
  const listeners: ((tls: SecureServerOptions) => void)[] = [];
  const identity = given ?? (await openIdentity(config));
  const { certificates, operatorsFiles } = identity;
  const [sni, rootFile, files] = await Promise.all([
    SniCertificates.read(serving.sniCertificates, context),
    control.rootCaFile === undefined ? undefined : context.readFile(control.rootCaFile),
    readTlsFiles({ ...config, serving: { ...serving, ...operatorsFiles } }, context, () => {
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
    identity,
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
      const kubeconfigPath = join(dataDir, 'admin.kubeconfig');
      const trust = own === undefined ? { authority: certificates.authority } : trustInOwn(own, url(port));
      const access = { serverUrl: url(port), user: certificates.admin, ...trust };
      const kubeconfig = await writeKubeconfig({ ...access, path: kubeconfigPath, syncs: storage.syncs });
      return { kubeconfig, kubeconfigPath };
    },
  };
}

/** Flags that name a certificate take precedence. */
async function operatorsFilesOf({ serving }: ServerConfig): Promise<ServerIdentity['operatorsFiles']> {
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
