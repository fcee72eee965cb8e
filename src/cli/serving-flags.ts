import { resolve } from 'node:path';
import { cipherSuites } from '../server/listening/cipher-suites.ts';
import { maxApiThreads, maxLanes, threadsProblem } from '../server/threads/thread-limits.ts';
import type { SniCertificateConfig } from '../server/listening/sni-certificates.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag } from './flag.ts';
import {
  boolean,
  FlagValueError,
  integer,
  integers,
  ipAddress,
  port,
  string,
  stringArray,
  strings,
} from './flag-types.ts';

/** Flags of the listener. */
export const servingFlags: readonly BuiltFlag[] = [
  flag('api-threads', {
    type: string,
    help: `threads that serve requests: auto, or 1 to ${maxApiThreads}; auto is one, and more, up to the number of cores, while all are busy. More than one only where the system spreads connections over them (SO_REUSEPORT), as Linux and FreeBSD do (default auto)`,
    values: () => ['auto'],
    ownType: 'string',
    set: (apiThreads, { serving }) => ({ serving: { ...serving, apiThreads: threads(apiThreads) } }),
  }),
  flag('bind-address', {
    type: ipAddress,
    help: 'address to listen on; 0.0.0.0 and :: mean all interfaces of both address families',
    set: (bindAddress, { serving }) => ({ serving: { ...serving, bindAddress } }),
  }),
  flag('cert-dir', {
    type: string,
    help: 'directory of generated certificates (default: pki in the data directory)',
    ownDefault: true,
    set: (folder, { serving }) => ({ serving: { ...serving, certDir: resolve(folder) } }),
  }),
  flag('disable-http2-serving', {
    type: boolean,
    help: 'serve HTTP/1.1 only',
    set: (disabled, { serving }) => ({ serving: { ...serving, http2: !disabled } }),
  }),
  flag('external-hostname', {
    type: string,
    help: 'name under which documents refer to this server (default: its advertised address)',
    set: (name, { serving }) => ({ serving: { ...serving, externalHostname: name === '' ? undefined : name } }),
  }),
  flag('http2-max-streams-per-connection', {
    type: integer,
    help: 'maximum number of concurrent streams per HTTP/2 connection; 0: the default',
    set: (streams, { serving }) =>
      streams === 0 ? {} : { serving: { ...serving, http2MaxStreamsPerConnection: streams } },
  }),
  flag('large-request-lanes', {
    type: integer,
    help: `threads that there may be for requests whose body, or whose stored object, is larger than 64 KiB, 0 to ${maxLanes}: they start when there are such requests, and end after a minute without; 0: such requests are served like others, which wait for them (default: one fewer than there are cores, 1 to 4)`,
    ownType: 'int',
    set: (lanes, { serving }) => ({ serving: { ...serving, lanes: laneCount(lanes) } }),
  }),
  flag('permit-address-sharing', {
    type: boolean,
    help: 'listen although connections of an earlier process are still ending (SO_REUSEADDR); it is always permitted',
    set: () => ({}),
  }),
  flag('permit-port-sharing', {
    type: boolean,
    help: 'let several processes listen on the port, which then share its connections (SO_REUSEPORT)',
    set: (sharesPort, { serving }) => ({ serving: { ...serving, sharesPort } }),
  }),
  flag('secure-port', {
    type: integer,
    help: 'port to listen on; 0: any free port',
    set: (securePort, { serving }) => ({ serving: { ...serving, securePort: port(securePort) } }),
  }),
  flag('strict-transport-security-directives', {
    type: strings,
    help: 'directives of the Strict-Transport-Security header, as max-age=31536000,includeSubDomains; empty: no header',
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
    help: 'TLS 1.2 cipher suites to offer',
    values: () => [...cipherSuites.keys()],
    set: (tlsCipherSuites, { serving }) => ({
      serving: { ...serving, tlsCipherSuites: tlsCipherSuites.map(cipherSuite) },
    }),
  }),
  flag('tls-curve-preferences', {
    type: integers,
    help: 'key exchanges to offer, as numbers: 23, 24, 25 (P-256, P-384, P-521), 29 (X25519), 4587, 4588, 4589 (the same with ML-KEM, without P-521)',
    set: (ids, { serving }) => ({ serving: { ...serving, tlsCurves: curves(ids) } }),
  }),
  flag('tls-min-version', {
    type: string,
    help: 'VersionTLS12 or VersionTLS13',
    values: () => [...tlsVersions.keys()],
    set: (version, { serving }) => ({ serving: { ...serving, tlsMinVersion: tlsVersion(version) } }),
  }),
  flag('tls-private-key-file', {
    type: string,
    help: 'PEM file of the key of --tls-cert-file',
    set: (file, { serving }) => ({ serving: { ...serving, tlsPrivateKeyFile: resolve(file) } }),
  }),
  flag('tls-sni-cert-key', {
    type: stringArray,
    help: 'PEM files of a certificate and its key and the names to serve it for, as foo.crt,foo.key:*.foo.com,foo.com; default: the names in the certificate',
    set: (texts, { serving }) => ({
      serving: { ...serving, sniCertificates: texts.filter((text) => text !== '[]').map(sniCertificate) },
    }),
  }),
];

function threads(text: string): number | 'auto' {
  if (text === 'auto') return text;
  const count = integer([text]);
  const problem = threadsProblem(count);
  if (problem !== undefined) throw new FlagValueError(problem);
  return count;
}

function laneCount(count: number): number {
  if (count < 0 || count > maxLanes) throw new FlagValueError(`must be 0 to ${maxLanes}`);
  return count;
}

/** RFC 6797, section 6.1. */
function transportSecurityDirective(text: string): string {
  if (text === 'includeSubDomains' || text === 'preload' || /^max-age=[^=]*$/.test(text)) return text;
  if (text.trim() === '') throw new UsageError('empty value in strict-transport-security-directives');
  throw new UsageError(
    '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
  );
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

/** OpenSSL's names by Go's numbers, which are those of TLS. */
const curveNames: ReadonlyMap<number, string> = new Map([
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
  [29, 'X25519'],
  [4587, 'SecP256r1MLKEM768'],
  [4588, 'X25519MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
]);
const highestCurve = 65_535;

function curves(ids: readonly number[]): readonly string[] {
  return ids.map((id, index) => {
    if (id <= 0 || id > highestCurve) {
      throw new UsageError(`curve preference ${id} is out of range (must be 1-${highestCurve})`);
    }
    if (ids.indexOf(id) < index) throw new UsageError(`duplicate curve preference ${id}`);
    const name = curveNames.get(id);
    if (name === undefined) throw new UsageError(`curve preference ${id} is not supported by the current Go version`);
    return name;
  });
}
