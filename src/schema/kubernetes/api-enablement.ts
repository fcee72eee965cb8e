import { ConfigError } from '../../api/config-error.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import { goQuote } from '../../api/go-quote.ts';
import type { Resource } from '../resource.ts';
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
export interface ReleaseOptions {
  /** The version to emulate, `1.37`. Later additions are not served. */
  readonly release?: string;
  /** State of the feature gates, as returned by `resolveFeatureGates`; absent: their defaults. */
  readonly featureGates?: ReadonlyMap<string, boolean>;
}

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
  const wanted = readMaturities(values);
  const isEnabled = ({ group, version, plural }: Resource): boolean =>
    preferences.get(keyOf({ group, version, plural })) ??
    preferences.get(keyOf({ group, version, plural: undefined })) ??
    wanted.findLast(({ pattern }) => pattern.test(version))?.enabled ??
    servedByDefault({ version });
  return builtInResources().filter(
    (resource) =>
      isEnabled(resource) &&
      isIntroduced(resource, release) &&
      (resource.featureGate === undefined || featureGates.get(resource.featureGate) === true),
  );
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
