/** Group, version and kind of an object; the core group is the empty string. */
export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Group, version and plural of a resource; the core group is the empty string. */
export interface GroupVersionResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** Group and plural, as errors and authorization use them. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}

/** `v1` for the core group, else `group/version`. */
export function formatApiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1, Kind=Deployment`, `/v1, Kind=Pod`: as Go prints it. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`;
}

/** The parts of an `apiVersion`; undefined when it has more than one slash. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } | undefined {
  const slash = apiVersion.indexOf('/');
  if (slash === -1) return { group: '', version: apiVersion };
  if (apiVersion.includes('/', slash + 1)) return undefined;
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `pods` for the core group, else `deployments.apps`: the form that Status messages use. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}
