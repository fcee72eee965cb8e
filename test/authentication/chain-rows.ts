import { makeAuthority, makeClient, type Shown, type Template } from './certificates.ts';
import { authorities } from './certificate-rows.ts';
import type { CredentialRow } from './credential-row.ts';

const away = makeAuthority('away');
const branch = makeAuthority('branch', away);
// As after a new key for an authority.
const twins = [makeAuthority('twin'), makeAuthority('twin')] as const;
const forServers = makeAuthority('for servers', undefined, { purpose: 'server' });
const forKeys = makeAuthority('for keys', undefined, { keyUsage: 0x80 });
const outdated = makeAuthority('outdated', undefined, { notAfterMs: Date.now() - 1_000 });

const subject = [['cn', 'ann']] as const;
const known = makeClient(away, { subject });

/** Certificates that the servers trust beside that of `authorities.users`. */
export const trusted: string = [branch, ...twins, forServers, forKeys, outdated, { pem: known.cert }]
  .map(({ pem }) => pem)
  .join('');

const { users } = authorities;
const named = (name: string | Buffer): Shown => makeClient(users, { subject: [['cn', name]] });
const ann = (more: Partial<Template>): Shown => makeClient(users, { subject, ...more });
const by = (authority: typeof away, ...more: (typeof away)[]): Shown => makeClient(authority, { subject }, more);
/** A string type that has a name in no other place. */
const string = (tag: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([tag, content.length]), content]);
const ucs2 = (text: string): Buffer => string(30, Buffer.from(text, 'utf16le').swap16());

export const chainRows: readonly CredentialRow[] = [
  { name: 'by an authority that is no root', tls: by(branch), said: 'ann' },
  { name: 'by one that is no root and is sent', tls: by(branch, branch), said: 'ann' },
  { name: 'by one whose own authority is unknown', tls: by(away), said: '401' },
  { name: 'by the first of two of the same name', tls: by(twins[0]), said: 'ann' },
  { name: 'by the second of them', tls: by(twins[1]), said: 'ann' },
  { name: 'by one of their name', tls: by(makeAuthority('twin')), said: '401' },
  { name: 'a trusted certificate itself', tls: known, said: 'ann' },
  { name: 'by an authority for servers', tls: by(forServers), said: '401' },
  { name: 'by one whose key is for something else', tls: by(forKeys), said: '401' },
  { name: 'by one that has expired', tls: by(outdated), said: '401' },
  { name: 'by way of one for servers', tls: by(...way({ purpose: 'server' })), said: '401' },
  { name: 'by way of one for any purpose', tls: by(...way({ purpose: 'any' })), said: 'ann' },
  { name: 'by way of one that has expired', tls: by(...way({ notAfterMs: Date.now() - 1_000 })), said: '401' },
  { name: 'by way of one whose key is for something else', tls: by(...way({ keyUsage: 0x80 })), said: '401' },
  { name: 'for any purpose', tls: ann({ purpose: 'any' }), said: 'ann' },
  { name: 'of a key that only encrypts keys', tls: ann({ keyUsage: 0x20 }), said: 'ann' },
  { name: 'with a name in UCS-2', tls: named(ucs2('\u00e9\u4e2d\0')), said: '\u00e9\u4e2d' },
  { name: 'with a name in T.61', tls: named(string(20, Buffer.from([0x61, 0xe9]))), said: 'a\u00e9' },
  { name: 'with more than a name in its name', tls: named('a,O=system:masters'), said: 'a,O=system:masters' },
  { name: 'of somebody named like nobody', tls: named('system:anonymous'), said: 'system:anonymous' },
];

function way(more: Partial<Template>): readonly [typeof away, typeof away] {
  const middle = makeAuthority('middle', users, more);
  return [middle, middle];
}
