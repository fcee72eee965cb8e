import { makeAuthority, makeClient, type Shown, type Template } from './certificates.ts';
import type { CredentialRow } from './credential-row.ts';

/** The CAs of users and proxies, and an unknown one. */
export const authorities = { users: makeAuthority('users'), proxies: makeAuthority('proxies') };
const stranger = makeAuthority('stranger');
const middle = makeAuthority('middle', authorities.users);
const { users, proxies } = authorities;

const day = 86_400_000;
const subject = [
  ['o', 'crew'],
  ['o', 'deck'],
  ['cn', 'ann'],
] as const;
const ann = (more: Partial<Template> = {}): Shown => makeClient(users, { subject, ...more });

export const certificateRows: readonly CredentialRow[] = [
  { name: 'nothing', said: 'system:anonymous' },
  { name: 'a certificate', tls: ann(), said: 'ann groups=crew,deck' },
  { name: 'one that has expired', tls: ann({ notBeforeMs: 0, notAfterMs: Date.now() - day }), said: '401' },
  {
    name: 'one of tomorrow',
    tls: ann({ notBeforeMs: Date.now() + day, notAfterMs: Date.now() + 2 * day }),
    said: '401',
  },
  { name: 'one of a server', tls: ann({ purpose: 'server' }), said: '401' },
  { name: 'one of SHA-1', tls: ann({ hash: 'sha1' }), said: '401' },
  { name: 'one of a stranger', tls: makeClient(stranger, { subject }), said: '401' },
  { name: 'one by way of another', tls: makeClient(middle, { subject }, [middle]), said: 'ann groups=crew,deck' },
  { name: 'one by way of another that is not sent', tls: makeClient(middle, { subject }), said: '401' },
  { name: 'one with a uid', tls: ann({ subject: [...subject, ['uid', '7']] }), said: 'ann uid=7 groups=crew,deck' },
  { name: 'one with a uid twice', tls: ann({ subject: [...subject, ['uid', '7'], ['uid', '8']] }), said: '401' },
  { name: 'one with an empty uid', tls: ann({ subject: [...subject, ['uid', '']] }), said: '401' },
  {
    // Alone it is anonymous; with proxies configured it is a refused proxy.
    name: 'one without a name',
    tls: ann({ subject: [['o', 'crew']] }),
    said: '401',
  },
  {
    name: 'one with two names',
    tls: ann({
      subject: [
        ['cn', 'ann'],
        ['cn', 'bob'],
      ],
    }),
    said: 'bob',
  },
  {
    name: 'one beside a wrong token',
    tls: ann(),
    headers: [['authorization', 'Bearer wrong']],
    said: 'ann groups=crew,deck',
  },
  {
    // Of a no-break space, in UTF-8 and in Latin-1.
    name: 'a token within blanks',
    headers: [['authorization', '\u00c2\u00a0Bearer tok-tom\u00c2\u00a0']],
    said: 'tom uid=t1',
  },
  { name: 'a token with a byte behind it', headers: [['authorization', 'Bearer tok-tom\u00a0']], said: '401' },
  {
    name: 'a refused one beside a good token',
    tls: makeClient(stranger, { subject }),
    headers: [['authorization', 'Bearer tok-tom']],
    said: 'tom uid=t1',
  },
];

const proxy = (template: Partial<Template> = {}): Shown =>
  makeClient(proxies, { subject: [['cn', 'front']], ...template });
const user = ['x-remote-user', 'pia'] as const;

export const proxyRows: readonly CredentialRow[] = [
  { name: 'a proxy', tls: proxy(), headers: [user], said: 'pia' },
  {
    name: 'all that a proxy may tell',
    tls: proxy(),
    headers: [
      user,
      ['x-remote-uid', 'p1'],
      ['x-remote-group', 'a'],
      ['x-remote-group', 'b'],
      ['x-other-group', 'c'],
      ['x-remote-extra-scopes', 's'],
      ['x-remote-extra-scopes', 't'],
      ['x-remote-extra-a%2fb', 'u'],
    ] as [string, string][],
    said: 'pia uid=p1 groups=a,b,c a/b=u scopes=s,t',
  },
  { name: 'a second name', tls: proxy(), headers: [user, ['x-remote-user', 'quin']], said: 'pia' },
  { name: 'an empty name before another', tls: proxy(), headers: [['x-remote-user', ''], user], said: '401' },
  { name: 'the other header', tls: proxy(), headers: [['x-other-user', 'quin']], said: 'quin' },
  { name: 'both headers', tls: proxy(), headers: [['x-other-user', 'quin'], user], said: 'pia' },
  {
    name: 'an empty header before the other',
    tls: proxy(),
    headers: [
      ['x-remote-user', ''],
      ['x-other-user', 'quin'],
    ],
    said: 'quin',
  },
  {
    name: 'empty groups',
    tls: proxy(),
    headers: [user, ['x-remote-group', ''], ['x-remote-group', 'a']],
    said: 'pia groups=a',
  },
  {
    name: 'keys that are not UTF-8',
    tls: proxy(),
    headers: [user, ['x-remote-extra-%c3%41', 'u']],
    said: 'pia \ufffdA=u',
  },
  {
    name: 'somebody named like nobody',
    tls: proxy(),
    headers: [['x-remote-user', 'system:anonymous']],
    said: 'system:anonymous',
  },
  {
    name: 'a key that is not encoded properly',
    tls: proxy(),
    headers: [user, ['x-remote-extra-%zz', 'u']],
    said: 'pia %zz=u',
  },
  { name: 'a user without a proxy', headers: [user], said: 'system:anonymous' },
  { name: 'a user of a user', tls: ann(), headers: [user], said: 'ann groups=crew,deck' },
  {
    name: 'a proxy of a stranger',
    tls: makeClient(stranger, { subject: [['cn', 'front']] }),
    headers: [user],
    said: '401',
  },
  { name: 'a proxy of another name', tls: proxy({ subject: [['cn', 'back']] }), headers: [user], said: '401' },
  {
    name: 'a proxy that has expired',
    tls: proxy({ notBeforeMs: 0, notAfterMs: Date.now() - day }),
    headers: [user],
    said: '401',
  },
  { name: 'a proxy that names nobody', tls: proxy(), said: '401' },
  {
    name: 'a proxy that names groups alone',
    tls: proxy(),
    headers: [['x-remote-group', 'system:masters']],
    said: '401',
  },
  {
    name: 'a proxy beside a token',
    tls: proxy(),
    headers: [user, ['authorization', 'Bearer tok-tom']],
    said: 'pia',
  },
  {
    name: 'a proxy that names nobody beside a token',
    tls: proxy(),
    headers: [['authorization', 'Bearer tok-tom']],
    said: 'tom uid=t1',
  },
  {
    name: 'a proxy whose user wants to be another',
    tls: proxy(),
    headers: [user, ['impersonate-user', 'root']],
    said: 'pia',
  },
];
