import type { TlsOptions } from 'node:tls';
import { type Authority, makeAuthority, makeClient, type Template } from '../authentication/certificates.ts';

/** A webhook's server whose certificate is not as it should be, or is so in an unusual way. */
export interface CertificateCase {
  readonly name: string;
  /** What the server shows, with its key, in PEM. */
  readonly shown: { readonly cert: string; readonly key: string };
  /** PEM. */
  readonly caBundle: string;
  /** Where it is called: at its service, by a name or at an address. */
  readonly by: 'service' | 'localhost' | '127.0.0.1';
  /** Other settings of the server. */
  readonly settings: TlsOptions;
}

export const service = { name: 'hooks', namespace: 'certificates' } as const;
const serviceName = `${service.name}.${service.namespace}.svc`;

const [root, other, namesake] = ['root', 'other', 'root'].map((name) => makeAuthority(name)) as [
  Authority,
  Authority,
  Authority,
]; // one for each
const intermediate = makeAuthority('intermediate', root);
const hour = 3_600_000;
const [past, future] = [{ notAfterMs: Date.now() - hour / 2 }, { notBeforeMs: Date.now() + hour / 2 }];
const formerRoot = makeAuthority('former', undefined, past);

interface Made {
  readonly by?: CertificateCase['by'];
  readonly commonName?: string;
  readonly issuer?: Authority;
  readonly sent?: readonly Authority[];
  readonly trusted?: readonly Authority[] | 'itself';
  readonly template?: Partial<Template>;
  readonly settings?: TlsOptions;
}

function certificateCase(name: string, altNames: readonly string[] | undefined, made: Made = {}): CertificateCase {
  const { by = 'service', commonName = 'server', issuer = root, sent = [], trusted = [root] } = made;
  const { template, settings = {} } = made;
  const subject = commonName === '' ? [] : ([['cn', commonName]] as const);
  const names = altNames === undefined ? {} : { altNames };
  const shown = makeClient(issuer, { subject, purpose: 'server', ...names, ...template }, sent);
  const caBundle = trusted === 'itself' ? shown.cert : trusted.map(({ pem }) => pem).join('');
  return { name, shown, caBundle, by, settings };
}

const many = Array.from({ length: 100 }, (_, index) => `name-${index}.example`);

const names: readonly CertificateCase[] = [
  certificateCase('its name', [serviceName]),
  certificateCase('its name in capitals', [serviceName.toUpperCase()]),
  certificateCase('its name after others', ['a.example', serviceName]),
  certificateCase('a wildcard', ['*.certificates.svc']),
  certificateCase('a wildcard for two labels', ['*.svc']),
  certificateCase('a wildcard for part of a label', ['h*.certificates.svc']),
  certificateCase('a wildcard in the middle', ['hooks.*.svc']),
  certificateCase('the name without its domain', ['hooks', 'hooks.certificates']),
  certificateCase('the name of the cluster', ['hooks.certificates.svc.cluster.local']),
  certificateCase('an address instead of the name', ['127.0.0.1']),
  certificateCase('a hundred other names', many),
  certificateCase('no names', undefined),
  certificateCase('only a common name', undefined, { commonName: serviceName }),
  certificateCase('only a wildcard as common name', undefined, { commonName: '*.certificates.svc' }),
  certificateCase('a common name beside another name', ['a.example'], { commonName: serviceName }),
  certificateCase('a name, asked by name', ['localhost'], { by: 'localhost' }),
  certificateCase('another name, asked by name', ['a.example', 'b.example'], { by: 'localhost' }),
  certificateCase('the address', ['127.0.0.1'], { by: '127.0.0.1' }),
  certificateCase('other addresses', ['127.0.0.2', '127.0.0.3', 'localhost'], { by: '127.0.0.1' }),
  certificateCase('a name, asked by address', ['localhost'], { by: '127.0.0.1' }),
  certificateCase('a common name, asked by address', undefined, { by: '127.0.0.1', commonName: '127.0.0.1' }),
];

const own = [serviceName];
const others: readonly CertificateCase[] = [
  certificateCase('expired', own, { template: past }),
  certificateCase('not yet valid', own, { template: future }),
  certificateCase('expired, of another name and authority', ['a.example'], { issuer: other, template: past }),
  certificateCase('of another authority', own, { issuer: other }),
  certificateCase('of another authority and name', ['a.example'], { issuer: other }),
  certificateCase('of a namesake of the authority', own, { issuer: namesake }),
  certificateCase('of one of two authorities', own, { trusted: [other, root] }),
  certificateCase('of one of two namesakes', own, { trusted: [namesake, root] }),
  certificateCase('of an authority that has expired', own, { issuer: formerRoot, trusted: [formerRoot] }),
  certificateCase('of an intermediate authority', own, { issuer: intermediate, sent: [intermediate] }),
  certificateCase('of an intermediate authority that is not sent', own, { issuer: intermediate }),
  certificateCase('of an intermediate authority that is trusted', own, {
    issuer: intermediate,
    trusted: [intermediate],
  }),
  certificateCase('of an intermediate authority of another', own, {
    issuer: intermediate,
    sent: [intermediate],
    trusted: [other],
  }),
  certificateCase('of an intermediate authority of a namesake', own, {
    issuer: intermediate,
    sent: [intermediate],
    trusted: [namesake],
  }),
  certificateCase('trusted itself', own, { trusted: 'itself' }),
  certificateCase('signed with SHA-1', own, { template: { hash: 'sha1' } }),
  certificateCase('of a client', own, { template: { purpose: 'client' } }),
];

const demanding = { requestCert: true, rejectUnauthorized: true, ca: root.pem };
const handshakes: readonly CertificateCase[] = [
  certificateCase('TLS 1.2', own, { settings: { maxVersion: 'TLSv1.2' } }),
  certificateCase('nothing newer than TLS 1.1', own, {
    settings: { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
  }),
  certificateCase('no common cipher', own, { settings: { maxVersion: 'TLSv1.2', ciphers: 'AES128-SHA' } }),
  certificateCase('a certificate demanded, TLS 1.2', own, { settings: { ...demanding, maxVersion: 'TLSv1.2' } }),
  certificateCase('a certificate demanded', own, { settings: demanding }),
];

export const certificateCases: readonly CertificateCase[] = [...names, ...others, ...handshakes];
