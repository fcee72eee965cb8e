import { DerError, DerReader, type DerElement, tags, trailingData } from './der.ts';
import { commonNameOid, type NamePart, namedParts, organizationOid, readName } from './distinguished-name.ts';
import {
  type AltNames,
  type Extension,
  noAltNames,
  readAltNames,
  readRequestedExtension,
  subjectAltNameOid,
} from './extensions.ts';
import { pemBlocks } from './pem.ts';
import { type PublicKey, readAlgorithm, readKeyInfo, readPublicKey } from './public-key.ts';
import { signatureProblem } from './signature.ts';

/** A PKCS#10 request (RFC 2986). */
export interface CertificateRequest {
  /** Absent when its algorithm is unknown. */
  readonly publicKey: PublicKey | undefined;
  /** The SubjectPublicKeyInfo. */
  readonly keyInfo: Buffer;
  readonly subject: readonly NamePart[];
  /** `O` of the subject. */
  readonly organizations: readonly string[];
  readonly commonName: string;
  readonly altNames: AltNames;
  /** The error in the signature; undefined when valid. */
  readonly signatureProblem: string | undefined;
}

/**
 * The size limit of a request in DER, because a name may have a part in every 13 bytes, each of which takes time to
 * read.
 */
export const mostBytes = 64 << 10;
/** 1.2.840.113549.1.9.14, encoded. */
const extensionRequestOid = Buffer.from('06092a864886f70d01090e', 'hex');

/** Parses the request in a PEM text. Throws DerError. */
export function parsePemRequest(pem: Buffer): CertificateRequest {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  return parseCertificateRequest(block.bytes);
}

/** Throws DerError with the reference's text. */
export function parseCertificateRequest(der: Buffer): CertificateRequest {
  if (der.length > mostBytes) throw new DerError(`x509: certificate request of more than ${mostBytes} bytes`);
  const reader = new DerReader(der);
  const { members } = reader.sequence('certificateRequest');
  const { members: body, whole: message } = members.sequence('tbsCertificateRequest');
  body.integer();
  const subject = body.any();
  const keyInfo = readKeyInfo(body);
  const attributes = body.list({ tag: 0, tagClass: 2, type: '' }, undefined);
  const algorithm = readAlgorithm(members);
  const signature = members.bitString();
  if (!reader.atEnd) throw trailingData();
  const publicKey = readPublicKey(keyInfo);
  const names = readName(subject);
  const altNames = requestedExtensions(attributes)
    .filter(({ oid }) => oid === subjectAltNameOid)
    .map(({ value }) => readAltNames(value));
  return {
    publicKey,
    keyInfo: keyInfo.encoded,
    subject: names,
    organizations: namedParts(names, organizationOid),
    commonName: namedParts(names, commonNameOid).at(-1) ?? '',
    altNames: altNames.at(-1) ?? noAltNames,
    signatureProblem: signatureProblem({ message, signature, algorithm, publicKey }),
  };
}

/** The requested extensions; other attributes and malformed ones are ignored. */
function requestedExtensions(attributes: readonly DerElement[]): Extension[] {
  const found = attributes.flatMap(({ whole, content }) => {
    if (!content.subarray(0, extensionRequestOid.length).equals(extensionRequestOid)) return [];
    const [first] = attributeValues(whole);
    if (first === undefined) return [];
    const member = { tag: tags.sequence, isCompound: true, type: 'Extension' };
    const list = new DerReader(first.whole).list({ tag: tags.sequence, type: '' }, member);
    return list.map(({ content }) => readRequestedExtension(content));
  });
  if (new Set(found.map(({ oid }) => oid)).size === found.length) return found;
  throw new DerError('x509: certificate request contains duplicate requested extensions');
}

function attributeValues(attribute: Buffer): DerElement[] {
  try {
    const { members } = new DerReader(attribute).sequence('pkcs10Attribute');
    members.oid();
    return members.list({ tag: tags.set, type: '' }, undefined);
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}
