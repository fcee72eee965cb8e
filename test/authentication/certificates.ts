import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bitString,
  boolean,
  type Der,
  explicit,
  implicit,
  integer,
  objectIdentifier,
  octetString,
  sequence,
  set,
  time,
  utf8String,
} from '../../src/codec/x509/der-writer.ts';
import { pemOf } from '../../src/codec/x509/pem.ts';

/** A client's certificate and key. */
export interface Shown {
  /** Including intermediates. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly name: Der;
  readonly privateKey: KeyObject;
  readonly pem: string;
}

const hour = 3_600_000;
const types = { cn: '2.5.4.3', o: '2.5.4.10', uid: '1.3.6.1.4.1.57683.2' } as const;
const algorithms = { sha256: '1.2.840.10045.4.3.2', sha1: '1.2.840.10045.4.1' } as const;
const purposes = { client: '1.3.6.1.5.5.7.3.2', server: '1.3.6.1.5.5.7.3.1', any: '2.5.29.37.0' } as const;

/** Values are UTF-8 unless encoded otherwise. */
type Subject = readonly (readonly [type: keyof typeof types, value: string | Der])[];

export interface Template {
  readonly subject: Subject;
  readonly notBeforeMs?: number;
  readonly notAfterMs?: number;
  readonly hash?: keyof typeof algorithms;
  readonly purpose?: keyof typeof purposes;
  /** Bits of the key's usages, the first one of which is the highest. */
  readonly keyUsage?: number;
  /** DNS names and addresses. */
  readonly altNames?: readonly string[];
}

function nameOf(subject: Subject): Der {
  const encoded = (value: string | Der): Der => (typeof value === 'string' ? utf8String(value) : value);
  return sequence(...subject.map(([type, value]) => set(sequence(objectIdentifier(types[type]), encoded(value)))));
}

function extension(type: string, value: Der): Der {
  return sequence(objectIdentifier(type), octetString(value));
}

function namesOf(names: readonly string[]): Der {
  const items = names.map((name) => {
    const bytes = name.split('.').map(Number);
    return isIPv4(name) ? implicit(7, Buffer.from(bytes)) : implicit(2, Buffer.from(name));
  });
  return extension('2.5.29.17', sequence(...items));
}

/** Unlike the server's certificates these can be invalid in many ways. */
function issue(
  template: Template,
  publicKey: KeyObject,
  issuer: Pick<Authority, 'name' | 'privateKey'>,
  isCa = false,
): string {
  const { subject, hash = 'sha256', purpose, keyUsage, altNames } = template;
  const { notBeforeMs = Date.now() - hour, notAfterMs = Date.now() + hour } = template;
  const algorithm = sequence(objectIdentifier(algorithms[hash]));
  const basic = extension('2.5.29.19', isCa ? sequence(boolean(true)) : sequence());
  const use = purpose === undefined ? [] : [extension('2.5.29.37', sequence(objectIdentifier(purposes[purpose])))];
  if (keyUsage !== undefined) use.push(extension('2.5.29.15', bitString(Buffer.from([keyUsage]))));
  const body = sequence(
    explicit(0, integer(Buffer.from([2]))),
    integer(randomBytes(16)),
    algorithm,
    issuer.name,
    sequence(time(notBeforeMs), time(notAfterMs)),
    nameOf(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(basic, ...use, ...(altNames === undefined ? [] : [namesOf(altNames)]))),
  );
  return pemOf('CERTIFICATE', sequence(body, algorithm, bitString(sign(hash, body, issuer.privateKey))));
}

export function makeAuthority(commonName: string, by?: Authority, more: Partial<Template> = {}): Authority {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = nameOf([['cn', commonName]]);
  const pem = issue({ subject: [['cn', commonName]], ...more }, publicKey, by ?? { name, privateKey }, true);
  return { name, privateKey, pem };
}

/** A client's certificate and key; `more` is appended to the chain. */
export function makeClient(authority: Authority, template: Template, more: readonly Authority[] = []): Shown {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const own = issue({ purpose: 'client', ...template }, publicKey, authority);
  return {
    cert: [own, ...more.map(({ pem }) => pem)].join(''),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}
