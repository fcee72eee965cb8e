import { DerError, DerReader, type Expected, tags } from './der.ts';
import {
  type AltNames,
  type Extension,
  noAltNames,
  readAltNames,
  readExtension,
  readOptionalBoolean,
  subjectAltNameOid,
} from './extensions.ts';
import {
  checkAuthorityInfo,
  checkDistributionPoints,
  checkInhibitAnyPolicy,
  checkNameConstraints,
  checkPolicies,
  checkPolicyConstraints,
  checkPolicyMappings,
} from './form-checks.ts';
import { step } from './public-key.ts';

/** What the extensions of a certificate say (RFC 5280, section 4.2). */
export interface CertificateExtensions {
  readonly altNames: AltNames;
  readonly isAuthority: boolean;
  readonly hasBasicConstraints: boolean;
  /** How many authorities may be between this one and a client; undefined: any number. */
  readonly maxPathLength: number | undefined;
  /** The usages of the key include, or do not exclude, to sign certificates. */
  readonly signsCertificates: boolean;
  /** Object identifiers of the extended key usages; empty: no restriction. */
  readonly purposes: readonly string[];
  /** An authority for some names only. */
  readonly constrainsNames: boolean;
  /** It asks for policies, or contains a critical extension that is unknown here. */
  readonly isUnclear: boolean;
}

const none: CertificateExtensions = {
  altNames: noAltNames,
  isAuthority: false,
  hasBasicConstraints: false,
  maxPathLength: undefined,
  signsCertificates: true,
  purposes: [],
  constrainsNames: false,
  isUnclear: false,
};

const sequenceOf = (type: string): Expected => ({ tag: tags.sequence, isCompound: true, type });

/** Throws DerError. */
export function readExtensions(body: DerReader): readonly Extension[] {
  while (!body.atEnd) {
    const { tag, tagClass, content } = step('x509: malformed extensions', () => body.any());
    if (tagClass !== 2 || tag !== 3) continue;
    const list = new DerReader(
      step('x509: malformed extensions', () => new DerReader(content).expect(sequenceOf(''))).content,
    );
    const found: Extension[] = [];
    while (!list.atEnd) {
      const extension = readExtension(step('x509: malformed extension', () => list.expect(sequenceOf(''))).content);
      if (found.some(({ oid }) => oid === extension.oid)) {
        throw new DerError(`x509: certificate contains duplicate extension with OID "${extension.oid}"`);
      }
      found.push(extension);
    }
    return found;
  }
  return [];
}

type Reader = (extension: Extension) => Partial<CertificateExtensions>;

/** Readers of known extensions; unknown ones are only checked for being critical. */
const readers: { readonly [oid: string]: Reader } = {
  '2.5.29.14': readSubjectKeyId,
  '2.5.29.15': ({ value }) => ({ signsCertificates: readKeyUsage(value) }),
  [subjectAltNameOid]: readNames,
  '2.5.29.19': ({ value }) => readBasicConstraints(value),
  '2.5.29.30': readNameConstraints,
  // Where to find revoked certificates, and policies, which are nobody's concern unless they are asked for.
  '2.5.29.31': ({ value }) => wellFormed(checkDistributionPoints(value)),
  '2.5.29.32': ({ value }) => wellFormed(checkPolicies(value)),
  '2.5.29.33': ({ value }) => wellFormed(checkPolicyMappings(value)),
  '2.5.29.54': ({ value }) => wellFormed(checkInhibitAnyPolicy(value)),
  '2.5.29.35': readAuthorityKeyId,
  '2.5.29.36': ({ value }) => ({ ...wellFormed(checkPolicyConstraints(value)), isUnclear: true }),
  '1.3.6.1.5.5.7.1.1': ({ critical, value }) => wellFormed(checkAuthorityInfo(critical, value)),
  '2.5.29.37': ({ value }) => ({ purposes: readPurposes(value) }),
};

/** Throws DerError. */
export function understood(extensions: readonly Extension[]): CertificateExtensions {
  let found = none;
  for (const extension of extensions) {
    const { oid, critical } = extension;
    const read = Object.hasOwn(readers, oid) ? readers[oid] : undefined;
    if (read !== undefined) found = { ...found, ...read(extension) };
    else if (critical) found = { ...found, isUnclear: true };
  }
  return found;
}

function readSubjectKeyId({ critical, value }: Extension): Partial<CertificateExtensions> {
  if (critical) throw new DerError('x509: subject key identifier incorrectly marked critical');
  step('x509: invalid subject key identifier', () => new DerReader(value).expect({ tag: tags.octetString, type: '' }));
  return {};
}

function readAuthorityKeyId({ critical, value }: Extension): Partial<CertificateExtensions> {
  if (critical) throw new DerError('x509: authority key identifier incorrectly marked critical');
  step('x509: invalid authority key identifier', () => {
    const { members } = new DerReader(value).sequence('');
    const keyId = { tag: 0, tagClass: 2, type: '' };
    if (members.isNext(keyId)) members.expect(keyId);
  });
  return {};
}

const signingBit = 0b100;

/** Whether the usages allow to sign certificates, as those that name nothing do. */
function readKeyUsage(value: Buffer): boolean {
  const { content } = step('x509: invalid key usage', () => {
    new DerReader(value).bitString();
    return new DerReader(value).expect({ tag: tags.bitString, type: '' });
  });
  const [, first = 0, second = 0] = content;
  return (first === 0 && second < 0x80) || (first & signingBit) !== 0;
}

function readNames({ critical, value }: Extension): Partial<CertificateExtensions> {
  const altNames = readAltNames(value);
  const isEmpty = Object.values(altNames).every(({ length }) => length === 0);
  return { altNames, ...(isEmpty && critical ? { isUnclear: true } : {}) };
}

function readBasicConstraints(value: Buffer): Partial<CertificateExtensions> {
  return step('x509: invalid basic constraints', () => {
    const { content } = new DerReader(value).expect(sequenceOf(''));
    const { value: isAuthority, rest } = readOptionalBoolean(content);
    const length = rest[0] === tags.integer ? new DerReader(rest).integer() : undefined;
    if (length !== undefined && length < 0n) throw new DerError('negative');
    return {
      isAuthority,
      hasBasicConstraints: true,
      maxPathLength: length === undefined ? undefined : Number(length),
    };
  });
}

function readNameConstraints({ critical, value }: Extension): Partial<CertificateExtensions> {
  const isKnown = checkNameConstraints(value);
  return { constrainsNames: true, ...(critical && !isKnown ? { isUnclear: true } : {}) };
}

/** Nothing is known of an extension but that its form is right. */
function wellFormed(_checked: void): Partial<CertificateExtensions> {
  return {};
}

function readPurposes(value: Buffer): readonly string[] {
  return step('x509: invalid extended key usages', () => {
    const { members } = new DerReader(value).sequence('');
    const found: string[] = [];
    while (!members.atEnd) found.push(members.oid());
    return found;
  });
}
