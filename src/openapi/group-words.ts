/** `rbac.authorization.k8s.io` is `RbacAuthorization` in operation ids. */
export function groupWord(group: string): string {
  if (group === '') return 'Core';
  return group
    .replace(/\.k8s\.io$/, '')
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('');
}

export function versionWord(version: string): string {
  return version.charAt(0).toUpperCase() + version.slice(1);
}

/** `rbacAuthorization_v1` */
export function groupTag(group: string, version?: string): string {
  const word = groupWord(group);
  const tag = word.charAt(0).toLowerCase() + word.slice(1);
  return version === undefined ? tag : `${tag}_${version}`;
}

/** The version 3 document of a version, or of a group. */
export function documentOf(group: string, version?: string): string {
  const base = group === '' ? 'api' : `apis/${group}`;
  return version === undefined ? base : `${base}/${version}`;
}
