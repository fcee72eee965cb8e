import { DerError, derTags, type DerValue, readDer, readInside } from './der-reader.ts';

/** What is read of a certification request (RFC 2986). */
export interface CertificateRequest {
  /** Values of the subject's organization attributes, in their order. */
  readonly organizations: readonly string[];
}

const block = /-----BEGIN CERTIFICATE REQUEST-----\s+([A-Za-z0-9+/=\s]+)-----END CERTIFICATE REQUEST-----/;
/** 2.5.4.10 */
const organization = Buffer.from([0x55, 0x04, 0x0a]);

/** Reads a request out of PEM. Throws a DerError. */
export function parseCertificateRequest(pem: string): CertificateRequest {
  const body = block.exec(pem)?.[1];
  if (body === undefined) throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  const [request] = readDer(Buffer.from(body, 'base64'));
  const [info] = readInside(request, derTags.sequence);
  const [, subject] = readInside(info, derTags.sequence);
  const attributes = readInside(subject, derTags.sequence).flatMap((names) => readInside(names, derTags.set));
  return { organizations: attributes.flatMap(organizationOf) };
}

function organizationOf(attribute: DerValue): string[] {
  const [type, value] = readInside(attribute, derTags.sequence);
  if (type?.tag !== derTags.objectIdentifier || value === undefined) throw new DerError('an attribute has no type');
  return organization.equals(type.content) ? [Buffer.from(value.content).toString('utf8')] : [];
}
