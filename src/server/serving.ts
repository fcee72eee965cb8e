import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import type { SecureServerOptions } from 'node:http2';
import type { Clock } from '../api/clock.ts';
import { addressInRange, formatIpAddress, parseIpRange } from '../api/ip-address.ts';
import { type Certificates, openCertificateStore } from '../authentication/pki/certificate-store.ts';
import type { ServerNames } from '../authentication/pki/certificate.ts';
import { writeKubeconfig } from '../authentication/pki/kubeconfig.ts';
import { openSslCiphers } from './cipher-suites.ts';
import type { ServerConfig } from './config.ts';

/** What the listener needs of certificates and TLS. */
export interface Serving {
  /** For `http2.createSecureServer`. Client certificates are asked for, not required: `socket.authorized` tells whether one is good. */
  readonly tls: SecureServerOptions;
  /** Addresses to listen on, in the order to try: the next when the machine lacks the family of the one before. */
  readonly listenAddresses: readonly string[];
  /** The server's address for clients on this machine, once its port is known. */
  url(port: number): string;
  /** Writes the administrator's kubeconfig and returns its path. */
  writeAdminKubeconfig(port: number): Promise<string>;
}

export async function prepareServing(config: ServerConfig, clock: Clock): Promise<Serving> {
  const { serving, authentication, dataDir } = config;
  const folder = serving.certDir ?? join(dataDir, 'pki');
  const [certificates, own, clientCa] = await Promise.all([
    openCertificateStore({ folder, serverNames: serverNames(config), clock }),
    readOwnCertificate(serving),
    authentication.clientCaFile === undefined ? undefined : readFile(authentication.clientCaFile, 'utf8'),
  ]);
  const pair = own ?? certificates.server;
  const url = (port: number) => `https://${urlHost(serving.bindAddress)}:${port}`;
  return {
    tls: {
      allowHTTP1: true,
      ...(serving.http2 ? {} : { ALPNProtocols: ['http/1.1'] }),
      cert: pair.certificate,
      key: pair.key,
      ca: clientCa === undefined ? [certificates.authority] : [certificates.authority, clientCa],
      requestCert: true,
      rejectUnauthorized: false,
      minVersion: serving.tlsMinVersion,
      ciphers: openSslCiphers(serving.tlsCipherSuites),
      settings: { maxConcurrentStreams: serving.http2MaxStreamsPerConnection },
    },
    listenAddresses: isUnspecified(serving.bindAddress) ? ['::', '0.0.0.0'] : [serving.bindAddress],
    url,
    async writeAdminKubeconfig(port) {
      const path = join(dataDir, 'admin.kubeconfig');
      const trust = own === undefined ? { authority: certificates.authority } : trustInOwn(own.certificate, url(port));
      await writeKubeconfig({ path, serverUrl: url(port), user: certificates.admin, ...trust });
      return path;
    },
  };
}

function isUnspecified(address: string): boolean {
  return address === '0.0.0.0' || address === '::';
}

/** A server that listens everywhere is reached by loopback from its own machine. */
function urlHost(bindAddress: string): string {
  if (isUnspecified(bindAddress)) return '127.0.0.1';
  return isIP(bindAddress) === 6 ? `[${bindAddress}]` : bindAddress;
}

/** The names by which pods, this machine and others may call the server. */
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

async function readOwnCertificate(serving: ServerConfig['serving']): Promise<Certificates['server'] | undefined> {
  const { tlsCertFile, tlsPrivateKeyFile } = serving;
  if (tlsCertFile === undefined || tlsPrivateKeyFile === undefined) return undefined;
  const [certificate, key] = await Promise.all([readFile(tlsCertFile, 'utf8'), readFile(tlsPrivateKeyFile, 'utf8')]);
  return { certificate, key };
}

/** We do not know who signed the operator's certificate, so the kubeconfig trusts the certificate itself, under a name that it has. */
function trustInOwn(certificate: string, url: string): { readonly authority: string; readonly tlsServerName?: string } {
  const { hostname: host } = new URL(url);
  const leaf = new X509Certificate(certificate);
  if (leaf.checkIP(host.replace(/^\[|\]$/g, '')) !== undefined) return { authority: certificate };
  const names = (leaf.subjectAltName ?? '').split(', ');
  const name = names.find((text) => text.startsWith('DNS:') && !text.includes('*'))?.slice('DNS:'.length);
  return name === undefined ? { authority: certificate } : { authority: certificate, tlsServerName: name };
}

/** Where clients of the network reach the server: `192.0.2.1:6443`. */
export function serverAddress({ advertiseAddress, bindAddress, securePort }: ServerConfig['serving']): string {
  const host = advertiseAddress ?? (isUnspecified(bindAddress) ? externalAddress() : bindAddress);
  return isIP(host) === 6 ? `[${host}]:${securePort}` : `${host}:${securePort}`;
}

/** The address that others are told: loopback is of no use to them. */
export function advertisedHost({ advertiseAddress, bindAddress }: ServerConfig['serving']): string {
  if (advertiseAddress !== undefined) return advertiseAddress;
  const isLoopback = bindAddress.startsWith('127.') || bindAddress === '::1';
  return isLoopback || isUnspecified(bindAddress) ? externalAddress() : bindAddress;
}

function externalAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return addresses.find(({ internal, family }) => !internal && family === 'IPv4')?.address ?? '127.0.0.1';
}
