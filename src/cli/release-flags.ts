import { goQuote } from '../api/go/go-quote.ts';
import { compareReleases, oldestRelease } from '../schema/kubernetes/feature-gates.ts';
import { configDefaults, type ServerConfig } from '../server/config.ts';
import { UsageError } from './errors.ts';
import { type BuiltFlag, flag } from './flag.ts';
import { boolean, strings } from './flag-types.ts';

/** Flags of the release that the server behaves like. */
export const releaseFlags: readonly BuiltFlag[] = [
  flag('emulated-version', {
    type: strings,
    help: 'Kubernetes release to emulate, such as 1.37',
    set: (versions, { api }) => ({ api: { ...api, emulatedVersion: releaseVersion(versions) } }),
  }),
  flag('emulation-forward-compatible', {
    type: boolean,
    help: 'with --emulated-version: also serve newer, non-alpha versions of served APIs',
    set: (emulationForwardCompatible, { api }) => ({ api: { ...api, emulationForwardCompatible } }),
  }),
  flag('min-compatibility-version', {
    type: strings,
    help: 'oldest release that other members of the control plane may have, such as 1.36 (default: the one before the emulated release)',
    set: (versions, { api }) => ({ api: { ...api, minCompatibilityVersion: releaseVersion(versions) } }),
  }),
  flag('runtime-config-emulation-forward-compatible', {
    type: boolean,
    help: 'with --emulated-version: also serve newer APIs that --runtime-config enables',
    set: (runtimeConfigEmulationForwardCompatible, { api }) => ({
      api: { ...api, runtimeConfigEmulationForwardCompatible },
    }),
  }),
];

/** The last one of `1.37`, `v1.37` or `kube=1.37`. */
function releaseVersion(texts: readonly string[]): string {
  const text = texts.at(-1) ?? '';
  const [, component, version = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(text) ?? [];
  if (component !== undefined && component !== 'kube') throw new UsageError(`component not registered: ${component}`);
  const match = /^v?(\d+\.\d+)(?:\.0)?$/.exec(version);
  if (!match?.[1]) throw new UsageError(`could not parse ${goQuote(version)} as version`);
  return match[1];
}

/** Throws a UsageError for releases that the server cannot be like. */
export function checkRelease(config: ServerConfig): void {
  refuseRelease(config);
  refuseCompatibility(config);
  refuseForward(config);
}

function refuseRelease({ api: { emulatedVersion } }: ServerConfig): void {
  const { emulatedVersion: current } = configDefaults.api;
  const isOld = compareReleases(emulatedVersion, oldestRelease) < 0;
  if (!isOld && compareReleases(emulatedVersion, current) <= 0) return;
  const outside = `emulation version ${emulatedVersion} is not between [${oldestRelease}, ${current}.0]`;
  const peers = `minCompatibilityVersion version ${oldestRelease} is not between [${oldestRelease}, ${emulatedVersion}]`;
  throw new UsageError(isOld ? `[${outside}, ${peers}]` : outside);
}

function refuseCompatibility({ api: { emulatedVersion, minCompatibilityVersion } }: ServerConfig): void {
  if (minCompatibilityVersion === undefined) return;
  const isOld = compareReleases(minCompatibilityVersion, oldestRelease) < 0;
  if (!isOld && compareReleases(minCompatibilityVersion, emulatedVersion) <= 0) return;
  throw new UsageError(
    `minCompatibilityVersion version ${minCompatibilityVersion} is not between [${oldestRelease}, ${emulatedVersion}]`,
  );
}

/** Nothing is newer than the release itself. */
function refuseForward({ api }: ServerConfig): void {
  if (api.emulatedVersion !== configDefaults.api.emulatedVersion) return;
  const given = [
    api.emulationForwardCompatible ? 'EmulationForwardCompatible' : undefined,
    api.runtimeConfigEmulationForwardCompatible ? 'RuntimeConfigEmulationForwardCompatible' : undefined,
  ].find((name) => name !== undefined);
  if (given === undefined) return;
  const rule = 'cannot be set to true if the emulation version is the same as the binary version';
  throw new UsageError(`ServerRunOptions.${given} ${rule}`);
}
