/** `rbac.authorization.k8s.io` becomes `RbacAuthorization` in operation ids. */
export function groupWord(group: string): string {
  return joinedWord(plainGroup(group), true);
}

export function versionWord(version: string): string {
  return joinedWord(version, true);
}

/** `rbacAuthorization_v1` */
export function groupTag(group: string, version?: string): string {
  const tag = joinedWord(plainGroup(group), false);
  return version === undefined ? tag : `${tag}_${joinedWord(version, false)}`;
}

function plainGroup(group: string): string {
  return group === '' ? 'core' : group.replace(/\.k8s\.io$/, '');
}

/** Drops all but letters and digits, capitalizing what follows; a leading digit counts as such a separator too. */
export function joinedWord(text: string, isCapital: boolean): string {
  const parts = text.replace(/^\d/, '-').split(/[^\p{L}\p{Nd}_]+/u);
  return parts.map((part, index) => (index > 0 || isCapital ? capitalized(part) : part)).join('');
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** The name of the version 3 document of a group version, or of a group. */
export function documentOf(group: string, version?: string): string {
  const base = group === '' ? 'api' : `apis/${group}`;
  return version === undefined ? base : `${base}/${version}`;
}
