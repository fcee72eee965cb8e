import type { HeaderLists, RequestHeaderConfig } from './authentication-config.ts';
import { pemOf } from '../codec/x509/pem.ts';
import { readAuthorities } from './client-authorities.ts';

/** How other API servers can authenticate users: the data of a ConfigMap. */
export type ClusterInfo = Readonly<Record<string, string>>;

/** What this server knows users by. */
export interface OwnInfo {
  /** PEM of all authorities of client certificates. */
  readonly clientCa: string;
  /** PEM of the authorities of proxies that name users; undefined: there are none. */
  readonly proxyCa: string | undefined;
  readonly requestHeader: RequestHeaderConfig;
  /** Whether headers with uids are included. */
  readonly knowsUids: boolean;
}

/** Expired certificates are left out, but for clocks that are behind. */
const slackMs = 300_000;

const lists = {
  'requestheader-username-headers': 'usernameHeaders',
  'requestheader-uid-headers': 'uidHeaders',
  'requestheader-group-headers': 'groupHeaders',
  'requestheader-extra-headers-prefix': 'extraHeaderPrefixes',
  'requestheader-allowed-names': 'allowedNames',
} as const;

/** The lists of names that other servers tell. Throws for what cannot be read. */
export function headerListsOf(published: ClusterInfo): HeaderLists {
  const entries = Object.entries(lists).map(([key, field]) => [field, readNames(published[key])]);
  return Object.fromEntries(entries) as HeaderLists; // a list per field
}

/**
 * Existing contents and those of this server: servers of one store may have different flags. Throws for what
 * cannot be read.
 */
export function combinedClusterInfo(published: ClusterInfo, own: OwnInfo, nowMs: number): ClusterInfo {
  const { proxyCa, requestHeader, knowsUids } = own;
  const names = Object.entries(lists).map(([key, field]) => {
    const all = [...readNames(published[key]), ...(proxyCa === undefined ? [] : requestHeader[field])];
    return { key, isOptional: field === 'uidHeaders', names: [...new Set(all)] };
  });
  const combined: Record<string, string> = {};
  const combine = (key: string, pem: string | undefined): boolean => {
    const both = combinedAuthorities([published[key], pem], key, nowMs);
    if (both !== '') combined[key] = both;
    return both !== '';
  };
  combine('client-ca-file', own.clientCa);
  if (!combine('requestheader-client-ca-file', proxyCa)) return combined;
  for (const { key, isOptional, names: of } of names) {
    if (!isOptional || (knowsUids && of.length > 0)) combined[key] = JSON.stringify(of);
  }
  return combined;
}

function combinedAuthorities(bundles: readonly (string | undefined)[], what: string, nowMs: number): string {
  const given = bundles.flatMap((bundle) => (bundle === undefined || bundle === '' ? [] : [bundle]));
  const valid = given
    .flatMap((bundle) => readAuthorities(what, bundle))
    .filter(({ notAfterMs }) => notAfterMs > nowMs - slackMs);
  return [...new Set(valid.map(({ encoded }) => pemOf('CERTIFICATE', encoded)))].join('');
}

function readNames(text: string | undefined): readonly string[] {
  if (text === undefined || text === '') return [];
  const names: unknown = JSON.parse(text) ?? [];
  if (!Array.isArray(names) || !names.every((name) => typeof name === 'string')) {
    throw new TypeError(`${text} is not a list of names`);
  }
  return names;
}
