import { goQuote } from '../../api/go/go-quote.ts';
import { GoUrlError, parseGoUrl } from '../../api/go/go-url.ts';
import { DerError, DerReader, tags } from './der.ts';
import { step } from './public-key.ts';

/** An extension of a certificate or of a request (RFC 5280, 4.2). */
export interface Extension {
  readonly oid: string;
  readonly critical: boolean;
  readonly value: Buffer;
}

export const subjectAltNameOid = '2.5.29.17';

export interface AltNames {
  readonly dnsNames: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly ipAddresses: readonly Buffer[];
  readonly uris: readonly string[];
}

export const noAltNames: AltNames = { dnsNames: [], emailAddresses: [], ipAddresses: [], uris: [] };

/** The names of a subjectAltName extension. */
export function readAltNames(value: Buffer): AltNames {
  const names = {
    dnsNames: [] as string[],
    emailAddresses: [] as string[],
    ipAddresses: [] as Buffer[],
    uris: [] as string[],
  };
  const reader = step('x509: invalid subject alternative names', () => new DerReader(value).sequence('').members);
  while (!reader.atEnd) {
    const { tag, tagClass, isCompound, content } = step('x509: invalid subject alternative name', () =>
      reader.simple(),
    );
    if (tagClass !== 2 || isCompound) continue;
    if (tag === 1) names.emailAddresses.push(ascii(content, 'x509: SAN rfc822Name is malformed'));
    else if (tag === 2) names.dnsNames.push(ascii(content, 'x509: SAN dNSName is malformed'));
    else if (tag === 6) names.uris.push(uri(ascii(content, 'x509: SAN uniformResourceIdentifier is malformed')));
    else if (tag === 7) names.ipAddresses.push(address(content));
  }
  return names;
}

function ascii(content: Buffer, problem: string): string {
  if (content.some((byte) => byte >= 0x80)) throw new DerError(problem);
  return content.toString('latin1');
}

function uri(text: string): string {
  if (!isDomain(hostOf(text), false)) throw new DerError(`x509: cannot parse URI ${goQuote(text)}: invalid domain`);
  return text;
}

function hostOf(text: string): string {
  try {
    return parseGoUrl(text).host;
  } catch (error) {
    if (!(error instanceof GoUrlError)) throw error;
    throw new DerError(`x509: cannot parse URI ${goQuote(text)}: ${error.message}`, { cause: error });
  }
}

/** Whether the reference takes a text for a domain; an empty one is. Domains of constraints may begin with a dot. */
export function isDomain(text: string, isConstraint: boolean): boolean {
  if (text === '') return true;
  const labels = (isConstraint && text.startsWith('.') ? text.slice(1) : text).split('.');
  return !labels.includes('') && /^[!-~]*$/.test(text);
}

function address(content: Buffer): Buffer {
  if (content.length === 4 || content.length === 16) return content;
  throw new DerError(`x509: cannot parse IP address of length ${content.length}`);
}

const boolean = { tag: 1, type: 'bool' };

/** True when the next value is a BOOLEAN that is true; consumes a BOOLEAN. */
export function readOptionalBoolean(content: Buffer): { readonly value: boolean; readonly rest: Buffer } {
  if (content[0] !== boolean.tag) return { value: false, rest: content };
  const { content: bits, whole } = new DerReader(content).expect(boolean);
  return { value: isTrue(bits), rest: content.subarray(whole.length) };
}

function isTrue(bits: Buffer): boolean {
  if (bits.length === 1 && (bits[0] === 0 || bits[0] === 0xff)) return bits[0] === 0xff;
  throw new DerError('asn1: syntax error: invalid boolean');
}

/** The content of one Extension of a request, which the reference reads with another parser. */
export function readRequestedExtension(content: Buffer): Extension {
  const reader = new DerReader(content);
  const oid = reader.oid();
  const critical = reader.isNext(boolean) && isTrue(reader.expect(boolean).content);
  const { content: value } = reader.expect({ tag: tags.octetString, type: '' });
  return { oid, critical, value };
}

/** The content of one Extension. */
export function readExtension(content: Buffer): Extension {
  const head = new DerReader(content);
  const oid = step('x509: malformed extension OID field', () => head.oid());
  const afterOid = content.subarray(2 + (content[1] ?? 0));
  const { value: critical, rest } = step('x509: malformed extension critical field', () =>
    readOptionalBoolean(afterOid),
  );
  const octets = step('x509: malformed extension value field', () =>
    new DerReader(rest).expect({ tag: tags.octetString, type: '' }),
  );
  return { oid, critical, value: octets.content };
}
