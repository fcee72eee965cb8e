import { ConfigError } from '../../api/errors/config-error.ts';
import { formatApiVersion } from '../../api/meta/group-version.ts';
import { goQuote } from '../../api/go/go-quote.ts';
import type { Resource } from '../resource.ts';
import { compareVersions } from '../../api/values/version-order.ts';
import { compareReleases, resolveFeatureGates } from './feature-gates.ts';
import { release as importedRelease } from './generated/release.ts';
import { builtInGroups, builtInResources } from './resources.ts';

/** Keys of `--runtime-config` as given; an empty value of a group version or resource is `true`. */
export type RuntimeConfig = ReadonlyMap<string, string | boolean>;

/** Thrown if `--runtime-config` names something unknown or has a non-boolean value. Messages match the reference. */
export class RuntimeConfigError extends ConfigError {
  override readonly code = 'RUNTIME_CONFIG';
}

/** The imported release, such as `1.37`. */
export const currentRelease = importedRelease.slice(0, importedRelease.lastIndexOf('.'));

/** Keys for all versions of one maturity, in the order in which they take effect. */
const maturities: readonly { readonly key: string; readonly pattern: RegExp }[] = [
  { key: 'api/all', pattern: /^/ },
  { key: 'api/ga', pattern: /^v\d+$/ },
  { key: 'api/beta', pattern: /^v\d+beta\d+$/ },
  { key: 'api/alpha', pattern: /^v\d+alpha\d+$/ },
];

/** One `GROUP/VERSION` or `GROUP/VERSION/RESOURCE` key. */
interface Preference {
  readonly group: string;
  readonly version: string;
  readonly plural: string | undefined;
  readonly enabled: boolean;
}

/** Whether a version is served without any configuration: those without `alpha` and `beta`. */
export function servedByDefault({ version }: Pick<Resource, 'version'>): boolean {
  return /^v\d+$/.test(version);
}

/** What else determines which resources exist. */
export interface ReleaseOptions extends ForwardCompatibility {
  /** The version to emulate, `1.37`. Later additions are not served. */
  readonly release?: string;
  /** State of the feature gates, as returned by `resolveFeatureGates`; absent: their defaults. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
  /** Serves what the release itself has removed. */
  readonly servesRemoved?: boolean;
}

/** Which additions are served although they are later than the emulated release. */
export interface ForwardCompatibility {
  /** Newer versions of served APIs; alpha versions do not count as served. */
  readonly forwardCompatible?: boolean;
  /** Newer versions of APIs that the configuration names. */
  readonly namedForwardCompatible?: boolean;
}

/** The configured state of a version or of a resource in it; undefined if it is not configured. */
type NamedState = (what: Pick<Preference, 'group' | 'version' | 'plural'>) => boolean | undefined;

/**
 * The resources served under a configuration, in discovery order. The key of a resource takes precedence over its
 * version's, which takes precedence over maturity keys. Throws `RuntimeConfigError`.
 */
export function servedResources(config: RuntimeConfig, options: ReleaseOptions = {}): readonly Resource[] {
  const { release = currentRelease } = options;
  const { featureGates = resolveFeatureGates(new Map(), release) } = options;
  const values = normalize(config);
  if (values.get('api/all') === 'false' && values.size === 1) {
    throw new RuntimeConfigError('invalid runtime-config with only api/all=false');
  }
  const preferences = new Map(readPreferences(values).map((each) => [keyOf(each), each.enabled]));
  const named: NamedState = (what) => preferences.get(keyOf(what));
  const wanted = readMaturities(values);
  const isVersionOn = (group: string, version: string): boolean =>
    named({ group, version, plural: undefined }) ??
    wanted.findLast(({ pattern }) => pattern.test(version))?.enabled ??
    servedByDefault({ version });
  const isOn = (resource: Resource): boolean => {
    const { group, version } = resource;
    const state = named(resource) ?? named({ group, version, plural: undefined });
    if (state !== undefined) return state;
    if (isVersionOn(group, version)) return true;
    if (options.forwardCompatible !== true) return false;
    return olderVersions(resource).some((older) => {
      return isVersionOn(group, older) || named({ ...resource, version: older }) === true;
    });
  };
  const enabled = builtInResources().filter(
    (resource) =>
      isOn(resource) &&
      !isRemoved(resource, release, options.servesRemoved) &&
      (resource.featureGate === undefined || featureGates.get(resource.featureGate)),
  );
  const introduced = introducedResources(enabled, named, { ...options, release });
  return enabled.filter((resource) => introduced.has(resource));
}

/** The less preferred versions of its group, except alpha versions. */
function olderVersions({ group, version }: Resource): readonly string[] {
  const { versions = [] } = builtInGroups().find(({ name }) => name === group) ?? {};
  return versions.filter((other) => !isAlpha(other) && compareVersions(other, version) > 0);
}

function isAlpha(version: string): boolean {
  return version.includes('alpha');
}

/** The resources that the emulated release serves. Throws `RuntimeConfigError` if a named one is not served. */
function introducedResources(
  enabled: readonly Resource[],
  named: NamedState,
  { release, forwardCompatible = false, namedForwardCompatible = false }: ReleaseOptions & { readonly release: string },
): ReadonlySet<Resource> {
  const kept = new Set<Resource>();
  /** Resources with a served non-alpha version, of any release. */
  const older = new Set<string>();
  const why = `after the current version ${release}. Consider setting --runtime-config-emulation-forward-compatible=true`;
  for (const resource of enabled.toSorted((a, b) => compareVersions(b.version, a.version))) {
    const { group, version, plural } = resource;
    const isNamed = named(resource) === true || named({ group, version, plural: undefined }) === true;
    const isKept =
      isIntroduced(resource, release) ||
      (forwardCompatible && older.has(`${group}/${plural}`)) ||
      (namedForwardCompatible && isNamed);
    if (isKept) {
      kept.add(resource);
      if (!isAlpha(version)) older.add(`${group}/${plural}`);
    } else if (named(resource) === true) {
      const what = `${group}/${version}, Resource=${plural}`;
      throw new RuntimeConfigError(
        `cannot enable resource ${what} in runtime-config because it is introduced at ${resource.introduced} ${why}`,
      );
    }
  }
  for (const { group, version } of enabled) {
    const isServed = [...kept].some((resource) => resource.group === group && resource.version === version);
    if (isServed || named({ group, version, plural: undefined }) !== true) continue;
    const reason = `because all the resources have been introduced ${why}`;
    throw new RuntimeConfigError(`cannot enable version ${group}/${version} in runtime-config ${reason}`);
  }
  return kept;
}

/** Whether a release serves it no longer. */
export function isRemoved({ removed }: Resource, release: string, oneReleaseLonger = false): boolean {
  return removed !== undefined && compareReleases(removed, release) <= (oneReleaseLonger ? -1 : 0);
}

function isIntroduced({ introduced }: Resource, release: string): boolean {
  return introduced === undefined || compareReleases(introduced, release) <= 0;
}

/** The core group may be written `v1` or `api/v1`; `api/legacy` no longer has any effect. */
function normalize(config: RuntimeConfig): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [key, value] of config) {
    if (key === 'api/legacy') continue;
    values.set(/^(api\/)?v1(\/|$)/.test(key) ? '/v1' : key, String(value));
  }
  return values;
}

function readMaturities(
  values: ReadonlyMap<string, string>,
): { readonly pattern: RegExp; readonly enabled: boolean }[] {
  return maturities.flatMap(({ key, pattern }) => {
    const value = values.get(key);
    if (value === undefined) return [];
    if (value !== 'true' && value !== 'false') throw new RuntimeConfigError(`invalid value ${key}=${value}`);
    return [{ pattern, enabled: value === 'true' }];
  });
}

function readPreferences(values: ReadonlyMap<string, string>): Preference[] {
  const keys = [...values.keys()].filter((key) => !maturities.some((each) => each.key === key));
  const parts = keys.map((key) => ({ key, tokens: key.split('/') }));
  for (const { key, tokens } of parts) {
    if (tokens.length !== 2 && tokens.length !== 3) throw new RuntimeConfigError(`runtime-config invalid key ${key}`);
  }
  const known = new Map(builtInGroups().map((each) => [each.name, each]));
  const unknown = parts
    .filter(({ tokens }) => !known.has(tokens[0] ?? ''))
    .map(({ tokens }) => tokens.slice(0, 2).join('/'));
  if (unknown.length > 0) throw new RuntimeConfigError(`unknown api groups ${[...new Set(unknown)].sort().join(',')}`);
  return parts.map(({ key, tokens: [group = '', version = '', plural] }) => {
    const { versions = [], unservedVersions = [] } = known.get(group) ?? {};
    if (!versions.includes(version) && !unservedVersions.includes(version)) {
      throw new RuntimeConfigError(`group version ${formatApiVersion(group, version)} that has not been registered`);
    }
    const enabled = parseEnabled(key, values.get(key) ?? '');
    if (plural !== undefined && plural !== plural.toLowerCase()) {
      throw new RuntimeConfigError(
        `invalid key ${key}: group/version/resource and resource is always lowercase plural, not ${goQuote(plural)}`,
      );
    }
    return { group, version, plural, enabled };
  });
}

/** Go's spellings of a boolean. */
function parseEnabled(key: string, value: string): boolean {
  if (/^(|1|t|T|true|TRUE|True)$/.test(value)) return true;
  if (/^(0|f|F|false|FALSE|False)$/.test(value)) return false;
  throw new RuntimeConfigError(
    `invalid value of ${key}: ${value}, err: strconv.ParseBool: parsing ${goQuote(value)}: invalid syntax`,
  );
}

function keyOf({ group, version, plural }: Pick<Preference, 'group' | 'version' | 'plural'>): string {
  return plural === undefined ? `${group}/${version}` : `${group}/${version}/${plural}`;
}
