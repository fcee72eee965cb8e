import { isIP } from 'node:net';
import { goQuote } from '../../api/go/go-quote.ts';
import { type DerElement, DerError, DerReader, readBigInteger, tags } from './der.ts';
import { isDomain } from './extensions.ts';
import { step } from './public-key.ts';

// Extensions whose content nobody uses, but whose form the reference checks. Errors have its texts.

const contextual = (tag: number): { readonly tag: number; readonly tagClass: 2; readonly type: '' } => ({
  tag,
  tagClass: 2,
  type: '',
});
const oidType = { tag: tags.oid, type: '' };

/** RFC 5280, 4.2.1.4. */
export function checkPolicies(value: Buffer): void {
  step('x509: invalid certificate policies', () => {
    const { members } = new DerReader(value).sequence('');
    const seen = new Set<string>();
    while (!members.atEnd) {
      const policy = members.sequence('').members.expect(oidType).content;
      checkOidBytes(policy);
      if (seen.has(policy.toString('latin1'))) throw new DerError('repeated');
      seen.add(policy.toString('latin1'));
    }
  });
}

/** Arcs of any size: none begins with a zero, and the last one ends. */
function checkOidBytes(bytes: Buffer): void {
  const last = bytes.at(-1);
  if (last === undefined || last >= 0x80) throw new DerError('unfinished');
  for (const [index, byte] of bytes.entries()) {
    if (byte === 0x80 && (index === 0 || (bytes[index - 1] ?? 0) < 0x80)) throw new DerError('padded');
  }
}

/** RFC 5280, 4.2.1.5. */
export function checkPolicyMappings(value: Buffer): void {
  step('x509: invalid policy mappings extension', () => {
    const { members } = new DerReader(value).sequence('');
    while (!members.atEnd) {
      const mapping = members.sequence('').members;
      mapping.expect(oidType);
      mapping.expect(oidType);
    }
  });
}

/** RFC 5280, 4.2.1.11. */
export function checkPolicyConstraints(value: Buffer): void {
  step('x509: invalid policy constraints extension', () => {
    const { members } = new DerReader(value).sequence('');
    for (const tag of [0, 1]) {
      if (!members.isNext(contextual(tag))) continue;
      const { content } = members.expect(contextual(tag));
      readBigInteger(content);
      if (content.length > 8) throw new DerError('too large');
    }
  });
}

/** RFC 5280, 4.2.1.14. */
export function checkInhibitAnyPolicy(value: Buffer): void {
  step('x509: invalid inhibit any policy extension', () => new DerReader(value).integer());
}

/** RFC 5280, 4.2.1.13. */
export function checkDistributionPoints(value: Buffer): void {
  const { members } = step('x509: invalid CRL distribution points', () => new DerReader(value).sequence(''));
  step('x509: invalid CRL distribution point', () => {
    while (!members.atEnd) {
      const point = members.sequence('').members;
      const named = { ...contextual(0), isCompound: true };
      if (!point.isNext(named)) continue;
      const names = new DerReader(new DerReader(point.expect(named).content).expect(named).content);
      while (names.isNext(contextual(6))) names.expect(contextual(6));
    }
  });
}

/** RFC 5280, 4.2.2.1. */
export function checkAuthorityInfo(critical: boolean, value: Buffer): void {
  if (critical) throw new DerError('x509: authority info access incorrectly marked critical');
  step('x509: invalid authority info access', () => {
    const { members } = new DerReader(value).sequence('');
    while (!members.atEnd) {
      const access = members.sequence('').members;
      access.oid();
      if (access.isNext(contextual(6))) access.expect(contextual(6));
    }
  });
}

/** RFC 5280, 4.2.1.10. Whether all constraints are of kinds that the reference knows. */
export function checkNameConstraints(value: Buffer): boolean {
  const [permitted, excluded] = step('x509: invalid NameConstraints extension', () => subtreesOf(value));
  if ((permitted?.length ?? 0) === 0 && (excluded?.length ?? 0) === 0) {
    throw new DerError('x509: empty name constraints extension');
  }
  let isKnown = true;
  for (const subtrees of [permitted, excluded]) {
    const reader = new DerReader(subtrees ?? Buffer.alloc(0));
    while (!reader.atEnd) {
      const base = step('x509: invalid NameConstraints extension', () => reader.sequence('').members.simple());
      const check = base.tagClass === 2 && !base.isCompound ? constraintChecks[base.tag] : undefined;
      if (check === undefined) isKnown = false;
      else check(base.content);
    }
  }
  return isKnown;
}

function subtreesOf(value: Buffer): (Buffer | undefined)[] {
  const outer = new DerReader(value);
  const { members } = outer.sequence('');
  const found = [0, 1].map((tag) => {
    const wanted = { ...contextual(tag), isCompound: true };
    return members.isNext(wanted) ? members.expect(wanted).content : undefined;
  });
  if (!outer.atEnd || !members.atEnd) throw new DerError('trailing data');
  return found;
}

const constraintChecks: { readonly [tag: number]: (content: DerElement['content']) => void } = {
  1(content) {
    const name = ia5Text(content);
    if (!(name.includes('@') ? isMailbox(name) : isDomain(name, true))) {
      throw new DerError(`x509: failed to parse rfc822Name constraint ${goQuote(name)}`);
    }
  },
  2(content) {
    const domain = ia5Text(content);
    if (!isDomain(domain, true)) throw new DerError(`x509: failed to parse dnsName constraint ${goQuote(domain)}`);
  },
  6(content) {
    const domain = ia5Text(content);
    const shown = `x509: failed to parse URI constraint ${goQuote(domain)}`;
    if (isIP(domain) !== 0) throw new DerError(`${shown}: cannot be IP address`);
    if (!isDomain(domain, true)) throw new DerError(shown);
  },
  7(content) {
    if (content.length !== 8 && content.length !== 32) {
      throw new DerError(`x509: IP constraint contained value of length ${content.length}`);
    }
    const mask = content.subarray(content.length / 2);
    if (!/^1*0*$/.test([...mask].map((byte) => byte.toString(2).padStart(8, '0')).join(''))) {
      throw new DerError(`x509: IP constraint contained invalid mask ${mask.toString('hex')}`);
    }
  },
};

function ia5Text(content: Buffer): string {
  if (content.every((byte) => byte < 0x80)) return content.toString('latin1');
  throw new DerError(`x509: invalid constraint value: x509: ${quoteBytes(content)} cannot be encoded as an IA5String`);
}

/** Go's `%q` of bytes that may be no UTF-8. */
function quoteBytes(content: Buffer): string {
  const parts = content
    .toString('latin1')
    .split(/([\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})/);
  const quoted = parts.map((part) => {
    const whole = Buffer.from(part, 'latin1').toString('utf8');
    if (!whole.includes('\ufffd')) return goQuote(whole).slice(1, -1);
    return [...part]
      .map((char) => (char < '\x80' ? goQuote(char).slice(1, -1) : `\\x${char.charCodeAt(0).toString(16)}`))
      .join('');
  });
  return `"${quoted.join('')}"`;
}

const quotedLocalPart = /^"(?:\\[\x01-\x09\x0b\x0c\x0e-\x7f]|[\x01-\x08\x0b\x0c\x0e-!#-[\]-\x7f])*"@/;
const localPart = /^(?:\\[^]|[\w!#$%&'*+\-/=?^`{|}~.])+@/;

/** A mailbox of RFC 2821, of whose domain little is asked. */
function isMailbox(text: string): boolean {
  const [quoted] = quotedLocalPart.exec(text) ?? [];
  const [atoms] = quoted === undefined ? (localPart.exec(text) ?? []) : [];
  const local = quoted ?? atoms;
  if (local === undefined) return false;
  const name = atoms?.slice(0, -1).replace(/\\([^])/g, '$1') ?? 'quoted';
  if (name.startsWith('.') || name.endsWith('.') || name.includes('..')) return false;
  return isDomain(text.slice(local.length), false);
}
