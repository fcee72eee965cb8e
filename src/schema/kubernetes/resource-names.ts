import { qualifiedNameErrors } from '../../api/meta/names.ts';

/** Names of amounts without a domain, or of the project's own. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/');
}

/** A resource of somebody's domain. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false;
  return qualifiedNameErrors(`requests.${name}`).length === 0;
}

export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}
