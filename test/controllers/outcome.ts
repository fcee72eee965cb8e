import { X509Certificate } from 'node:crypto';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/api/json/json.ts';

const timeText = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;
const generatedName = /-[bcdfghjklmnpqrstvwxz2456789]{5}$/;

/** An object, or the items of a list, without what differs from run to run. */
export function outcomeOf(body: JsonObject): JsonValue {
  const { items } = body;
  if (!Array.isArray(items)) return plain(body);
  const all = (items as JsonObject[]).map(plain);
  return all.toSorted((a, b) => compare(JSON.stringify(a), JSON.stringify(b)));
}

function plain(object: JsonObject): JsonObject {
  const known = namesIn(object);
  return mapped(object, [], known) as JsonObject; // an object becomes an object
}

/** What stands for the name that the server has made, and for the part of it that a hash makes. */
function namesIn({ metadata }: JsonObject): (text: string) => string {
  const { name, generateName } = (isJsonObject(metadata ?? null) ? metadata : {}) as {
    name?: string;
    generateName?: string;
  };
  return (text) => {
    if (text === name && generateName !== undefined) return text.replace(generatedName, '-*');
    return text.replace(/^(kubernetes\.io:kube-apiserver-serving:)[0-9a-f]{24}$/, '$1*');
  };
}

/** Lists without an order, or with one that depends on identities. */
const unordered = new Set(['endpoints', 'managedFields', 'subsets']);
const leftOut = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'selfLink']);

function mapped(value: JsonValue, path: readonly string[], rename: (text: string) => string): JsonValue {
  if (Array.isArray(value)) {
    const items = value as readonly JsonValue[];
    const each = items.map((item) => mapped(item, path, rename));
    return unordered.has(path.at(-1) ?? '')
      ? each.toSorted((a, b) => compare(JSON.stringify(a), JSON.stringify(b)))
      : each;
  }
  if (isJsonObject(value)) return mappedObject(value, path, rename);
  return typeof value === 'string' ? mappedText(value, path, rename) : value;
}

function mappedObject(value: JsonObject, path: readonly string[], rename: (text: string) => string): JsonObject {
  const entries = Object.entries(value)
    .filter(([key]) => !leftOut.has(key))
    .toSorted(([a], [b]) => compare(a, b))
    .map(([key, item]) => {
      if (key.startsWith('k:{"uid":')) return ['k:{"uid":"<uid>"}', item ?? null] as const;
      return [key, item === undefined ? null : mapped(item, [...path, key], rename)] as const;
    });
  return Object.fromEntries(entries);
}

function mappedText(text: string, path: readonly string[], rename: (text: string) => string): string {
  const key = path.at(-1) ?? '';
  if (timeText.test(text)) return '<time>';
  if (key === 'kubernetes.io/service-account.uid') return '<uid>';
  if (text.startsWith('X509SHA256=')) return '<credential>';
  if (key === 'certificate') return described(Buffer.from(text, 'base64').toString());
  if (key === 'ca.crt' || key === 'trustBundle') return '<authority>';
  if (key === 'token' && path.includes('data')) return describedToken(Buffer.from(text, 'base64').toString());
  if (path.length === 1 && key === 'kind') return text;
  return rename(text);
}

/** Everything of a certificate but numbers, keys of the authority and times. */
function described(pem: string): string {
  const certificate = new X509Certificate(pem);
  const lifeMinutes = (certificate.validToDate.getTime() - certificate.validFromDate.getTime()) / 60_000;
  const der = certificate.raw.toString('latin1');
  // The extensions, but for the identifier of the authority's key, are the last part of what is signed.
  const extensions = ['\x55\x1d\x0f', '\x55\x1d\x25', '\x55\x1d\x13', '\x55\x1d\x11'].map((oid) =>
    extensionAt(der, oid),
  );
  const hasAuthority = der.includes('\x55\x1d\x23');
  return [certificate.subject, subjectBytes(certificate), ...extensions, hasAuthority, `${lifeMinutes} min`].join(
    ' | ',
  );
}

function extensionAt(der: string, oid: string): string {
  const at = der.indexOf(`\x06\x03${oid}`);
  if (at < 0) return 'none';
  // The sequence of the extension has a length of one byte, or of two.
  const isLong = der.charCodeAt(at - 2) === 0x81 && der.charCodeAt(at - 3) === 0x30;
  const length = der.charCodeAt(at - 1);
  const start = at - (isLong ? 3 : 2);
  return Buffer.from(der.slice(start, at + length), 'latin1').toString('hex');
}

/** The subject as it is encoded. */
function subjectBytes({ raw, subject }: X509Certificate): string {
  if (subject === undefined || subject === '') return '3000';
  const der = raw.toString('latin1');
  // After the validity, which ends with the later of two times in UTC.
  const validity = /\x30\x1e\x17\x0d\d{12}Z\x17\x0d\d{12}Z/.exec(der);
  if (validity === null) return 'unknown';
  const at = validity.index + validity[0].length;
  const first = der.charCodeAt(at + 1);
  const isLong = first === 0x81;
  const length = isLong ? der.charCodeAt(at + 2) : first;
  return Buffer.from(der.slice(at, at + (isLong ? 3 : 2) + length), 'latin1').toString('hex');
}

/** The claims, without the identity of the account. */
function describedToken(token: string): string {
  const [, payload] = token.split('.');
  if (payload === undefined) return token;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JsonObject;
  return JSON.stringify({ ...claims, 'kubernetes.io/serviceaccount/service-account.uid': '<uid>' });
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
