import { requiredOneOf } from '../rules/rules.ts';

// Image references as parsed by container runtimes: DOMAIN/PATH:TAG@DIGEST, of which only PATH is required.

const pathComponents = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const domainLabel = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const ipv6Address = /^\[[a-fA-F0-9:]+\]$/;
const tagPattern = /^\w[\w.-]{0,127}$/;
const digestPattern = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const maxPathLength = 255;

/** The tag of an image: `latest` if it has neither tag nor digest, empty if it has only a digest or is malformed. */
export function imageTag(image: string): string {
  const [named = '', digest, ...rest] = image.split('@');
  if (rest.length > 0 || (digest !== undefined && !digestPattern.test(digest))) return '';
  const colon = named.lastIndexOf(':');
  // A colon before the last slash belongs to the port of a registry.
  const tag = colon > named.lastIndexOf('/') ? named.slice(colon + 1) : undefined;
  if (!isName(tag === undefined ? named : named.slice(0, colon)) || isImageId(image)) return '';
  if (tag !== undefined) return tagPattern.test(tag) ? tag : '';
  return digest === undefined ? 'latest' : '';
}

function isImageId(image: string): boolean {
  return /^[a-f0-9]{64}$/.test(image);
}

function isName(name: string): boolean {
  const slash = name.indexOf('/');
  const first = name.slice(0, Math.max(slash, 0));
  const path = isRegistry(first) && isDomain(first) ? name.slice(slash + 1) : name;
  // Single-component paths in the default registry are below this one.
  const length = slash < 0 ? path.length + 'library/'.length : path.length;
  return length <= maxPathLength && pathComponents.test(path);
}

/** Whether the first component of a name is a registry rather than part of the path. */
function isRegistry(first: string): boolean {
  return first === 'localhost' || /[.:A-Z]/.test(first);
}

function isDomain(text: string): boolean {
  const [, host = text] = /^(.*):\d+$/.exec(text) ?? [];
  return ipv6Address.test(host) || host.split('.').every((label) => domainLabel.test(label));
}

export const pullPolicy = requiredOneOf(['Always', 'IfNotPresent', 'Never']);
