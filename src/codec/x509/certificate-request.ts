import { DerError, DerReader, type DerElement, readText, tags, trailingData } from './der.ts';
import {
  type AltNames,
  type Extension,
  noAltNames,
  readAltNames,
  readExtension,
  subjectAltNameOid,
} from './extensions.ts';
import { pemBlocks } from './pem.ts';
import { type PublicKey, readAlgorithm, readKeyInfo, readPublicKey } from './public-key.ts';
import { signatureProblem } from './signature.ts';

/** A PKCS#10 request (RFC 2986). */
export interface CertificateRequest {
  /** Absent when its algorithm is not known. */
  readonly publicKey: PublicKey | undefined;
  /** `O` of the subject. */
  readonly organizations: readonly string[];
  readonly commonName: string;
  readonly altNames: AltNames;
  /** What is wrong with the signature; undefined when it is good. */
  readonly signatureProblem: string | undefined;
}

const commonNameOid = '2.5.4.3';
const organizationOid = '2.5.4.10';
const extensionRequestOid = '1.2.840.113549.1.9.14';

/** The request of a PEM text. Throws DerError. */
export function parsePemRequest(pem: Buffer): CertificateRequest {
  const [block] = pemBlocks(pem);
  if (block?.type !== 'CERTIFICATE REQUEST') throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  return parseCertificateRequest(block.bytes);
}

/** Throws DerError in the words of the reference. */
export function parseCertificateRequest(der: Buffer): CertificateRequest {
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
  const named = (oid: string): string[] => names.filter((name) => name.oid === oid).map(({ text }) => text);
  return {
    publicKey,
    organizations: named(organizationOid),
    commonName: named(commonNameOid).at(-1) ?? '',
    altNames: altNames.at(-1) ?? noAltNames,
    signatureProblem: signatureProblem({ message, signature, algorithm, publicKey }),
  };
}

interface NamePart {
  readonly oid: string;
  readonly text: string;
}

const nameType = { tag: tags.sequence, type: 'RDNSequence' };
const setType = { tag: tags.set, isCompound: true, type: 'RelativeDistinguishedNameSET' };
const partType = { tag: tags.sequence, isCompound: true, type: 'AttributeTypeAndValue' };

function readName(subject: DerElement): NamePart[] {
  const sets = new DerReader(subject.whole).list(nameType, setType);
  return sets.flatMap((set) =>
    new DerReader(set.whole).list(setType, partType).map(({ content }) => {
      const part = new DerReader(content);
      return { oid: part.oid(), text: readText(part.any()) };
    }),
  );
}

/** The extensions that a request asks for; other attributes are left alone, and so are those that cannot be read. */
function requestedExtensions(attributes: readonly DerElement[]): Extension[] {
  const found = attributes.flatMap(({ whole }) => {
    const [first] = attributeValues(whole);
    if (first === undefined) return [];
    const member = { ...partType, type: 'Extension' };
    const list = new DerReader(first.whole).list({ tag: tags.sequence, type: '' }, member);
    return list.map(({ content }) => readExtension(content));
  });
  if (new Set(found.map(({ oid }) => oid)).size === found.length) return found;
  throw new DerError('x509: certificate request contains duplicate requested extensions');
}

function attributeValues(attribute: Buffer): DerElement[] {
  try {
    const { members } = new DerReader(attribute).sequence('pkcs10Attribute');
    const oid = members.oid();
    const values = members.list({ tag: tags.set, type: '' }, undefined);
    return oid === extensionRequestOid ? values : [];
  } catch (error) {
    if (error instanceof DerError) return [];
    throw error;
  }
}
