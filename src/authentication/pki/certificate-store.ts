import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, X509Certificate } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../api/time/clock.ts';
import type {
  CertificateTemplate,
  DistinguishedName,
  Issuer,
  ServerNames,
} from '../../codec/x509/issue-certificate.ts';
import { readIfPresent, writeWhole } from './whole-file.ts';

/** The contents of a certificate folder; all PEM. */
export interface Certificates {
  readonly authority: string;
  readonly server: CertificateAndKey;
  readonly admin: CertificateAndKey;
}

export interface CertificateAndKey {
  readonly certificate: string;
  readonly key: string;
}

export interface CertificateStoreOptions {
  readonly folder: string;
  readonly serverNames: ServerNames;
  readonly clock: Clock;
  /** false: a power failure may lose what is generated. true by default. */
  readonly syncs?: boolean;
}

const dayMs = 86_400_000;

/** The base name of the files of the server's certificate, as in kube-apiserver. */
const serverName = 'apiserver';
/** What the names of our authorities begin with. */
const authorityPrefix = 'binnacle-';

/** The administrator of the kubeconfig; its group bypasses authorization. */
const adminName: DistinguishedName = { commonName: 'kubernetes-admin', organizations: ['system:masters'] };

/** Certificates are backdated a little, for clients whose clocks are slow. */
const backdatedMs = 3_600_000;

/**
 * | | lifetime | renewed at the first start with less than this left |
 * |---|---|---|
 * | authority | 10 years | what a certificate signed now would need |
 * | server, admin | 2 years | 1 year |
 */
const lifetimes = { authority: 3_650 * dayMs, leaf: 730 * dayMs, leafRenewal: 365 * dayMs };

/**
 * Reads the authority (`ca`), the server's certificate (`apiserver`) and the administrator's (`admin`), and issues
 * those that are missing, about to expire, signed by another authority or, for the server's, lacking one of the names.
 * A server's certificate that Binnacle has not issued is the operator's, and stays.
 */
export async function openCertificateStore(options: CertificateStoreOptions): Promise<Certificates> {
  const { folder, clock, serverNames, syncs = true } = options;
  const authority = await openAuthority({ folder, name: 'ca', clock, syncs });
  const common = { folder, authority, clock, syncs };
  const serverTemplate: LeafTemplate = {
    subject: { commonName: 'kube-apiserver' },
    usage: 'server',
    names: serverNames,
  };
  const [server, admin] = await Promise.all([
    openLeaf({ ...common, name: serverName, template: serverTemplate, keepsForeign: true }),
    openLeaf({ ...common, name: 'admin', template: { subject: adminName, usage: 'client' } }),
  ]);
  return { authority: authority.pem.certificate, server, admin };
}

/** The files of a server's certificate that Binnacle has not issued; undefined if there is none. */
export async function operatorsServingFiles(folder: string): Promise<CertificateAndKey | undefined> {
  const found = await readPair(folder, serverName);
  if (found === undefined || isIssuedHere(found)) return undefined;
  return { certificate: join(folder, `${serverName}.crt`), key: join(folder, `${serverName}.key`) };
}

export type LeafTemplate = Pick<CertificateTemplate, 'subject' | 'usage' | 'names'>;

export interface Authority {
  readonly pem: CertificateAndKey;
  readonly certificate: X509Certificate;
}

/** `name` is that of its files, without an extension. */
export interface AuthorityRequest {
  readonly folder: string;
  readonly name: string;
  readonly clock: Clock;
  readonly syncs?: boolean;
}

/** Reads an authority, or makes one. */
export async function openAuthority(request: AuthorityRequest): Promise<Authority> {
  const { folder, name, clock } = request;
  const found = await readPair(folder, name);
  const certificate = found && new X509Certificate(found.certificate);
  if (found && certificate) {
    if (!certificate.checkPrivateKey(createPrivateKey(found.key))) {
      throw new Error(`${name}.crt and ${name}.key in ${folder} do not match; remove both to generate new ones`);
    }
    if (leftMs(certificate, clock) > lifetimes.leaf) return { pem: found, certificate };
  }
  return makeAuthority(request);
}

async function makeAuthority({ folder, name, clock, syncs }: AuthorityRequest): Promise<Authority> {
  const { generateKeyPair, issueCertificate } = await import('../../codec/x509/issue-certificate.ts');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const keys = generateKeyPair();
  // A unique name distinguishes the authorities of several servers in one trust store.
  const subject = { commonName: `${authorityPrefix}${name}-${randomBytes(4).toString('hex')}` };
  const now = clock.now();
  const template: CertificateTemplate = {
    subject,
    usage: 'authority',
    notBeforeMs: now - backdatedMs,
    notAfterMs: now + lifetimes.authority,
  };
  const pem = {
    certificate: issueCertificate(template, keys.publicKey, { name: subject, ...keys }),
    key: privatePem(keys.privateKey),
  };
  await writePair({ folder, name, syncs }, pem);
  return { pem, certificate: new X509Certificate(pem.certificate) };
}

export interface LeafRequest {
  readonly folder: string;
  readonly name: string;
  readonly template: LeafTemplate;
  readonly authority: Authority;
  readonly clock: Clock;
  readonly syncs?: boolean;
  /** Whether a certificate that Binnacle has not issued stays. */
  readonly keepsForeign?: boolean;
}

/** Reads a certificate, or issues one that is missing, about to expire or signed by another authority. */
export async function openLeaf(request: LeafRequest): Promise<CertificateAndKey> {
  const found = await readPair(request.folder, request.name);
  if (found === undefined) return makeLeaf(request);
  const isKept = request.keepsForeign === true && !isIssuedHere(found);
  return isKept || isGood(found, request) ? found : makeLeaf(request);
}

function isGood(pair: CertificateAndKey, { template, authority, clock }: LeafRequest): boolean {
  const certificate = new X509Certificate(pair.certificate);
  const { dnsNames = [], ipAddresses = [] } = template.names ?? {};
  return (
    certificate.checkPrivateKey(createPrivateKey(pair.key)) &&
    certificate.verify(authority.certificate.publicKey) &&
    leftMs(certificate, clock) > lifetimes.leafRenewal &&
    dnsNames.every((name) => certificate.checkHost(name) !== undefined) &&
    ipAddresses.every((address) => certificate.checkIP(address) !== undefined)
  );
}

async function makeLeaf(request: LeafRequest): Promise<CertificateAndKey> {
  const pair = await issueLeaf(request);
  await writePair(request, pair);
  return pair;
}

/** A new certificate and its key, which are kept in no file. */
export async function issueLeaf({
  template,
  authority,
  clock,
}: Pick<LeafRequest, 'template' | 'authority' | 'clock'>): Promise<CertificateAndKey> {
  const { generateKeyPair, issueCertificate } = await import('../../codec/x509/issue-certificate.ts');
  const keys = generateKeyPair();
  const now = clock.now();
  const dates = { notBeforeMs: now - backdatedMs, notAfterMs: now + lifetimes.leaf };
  const privateKey = createPrivateKey(authority.pem.key);
  const issuer: Issuer = { name: nameOf(authority.certificate), privateKey, publicKey: createPublicKey(privateKey) };
  const certificate = issueCertificate({ ...template, ...dates }, keys.publicKey, issuer);
  return { certificate, key: privatePem(keys.privateKey) };
}

function isIssuedHere({ certificate }: CertificateAndKey): boolean {
  return new X509Certificate(certificate).issuer.startsWith(`CN=${authorityPrefix}`);
}

/** The subject of our authorities is a common name only. */
function nameOf({ subject }: X509Certificate): DistinguishedName {
  const commonName = /^CN=(.+)$/.exec(subject)?.[1];
  if (commonName === undefined)
    throw new Error(`the certificate authority was not issued by Binnacle: its subject is ${subject}`);
  return { commonName };
}

function leftMs(certificate: X509Certificate, clock: Clock): number {
  return certificate.validToDate.getTime() - clock.now();
}

/** SEC 1, whose header names the algorithm: fabric8's client takes any other private key for RSA. */
function privatePem(key: KeyObject): string {
  return key.export({ type: 'sec1', format: 'pem' }).toString();
}

/** Undefined when either file is missing: the first start may have been interrupted between the two. */
async function readPair(folder: string, name: string): Promise<CertificateAndKey | undefined> {
  const [certificate, key] = await Promise.all([
    readIfPresent(join(folder, `${name}.crt`)),
    readIfPresent(join(folder, `${name}.key`)),
  ]);
  return certificate === undefined || key === undefined ? undefined : { certificate, key };
}

async function writePair(
  {
    folder,
    name,
    syncs = true,
  }: { readonly folder: string; readonly name: string; readonly syncs?: boolean | undefined },
  pair: CertificateAndKey,
): Promise<void> {
  await writeWhole({ path: join(folder, `${name}.key`), text: pair.key, mode: 0o600, syncs });
  await writeWhole({ path: join(folder, `${name}.crt`), text: pair.certificate, mode: 0o644, syncs });
}
