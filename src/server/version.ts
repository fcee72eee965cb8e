import type { JsonObject } from '../api/json/json.ts';

/** The release of this server. */
export const kubernetesVersion = '1.37.1';
/** In place of the reference's Go version. */
export const runtimeVersion = `node-${process.version}`;

/** `/version`: identifies the server to clients. `emulated` is a release such as `1.37`. */
export function versionInfo(emulated: string) {
  const [major = '1', minor = '37'] = emulated.split('.');
  const lowest = Math.max(0, Number(minor) - 1);
  return {
    major: '1',
    minor: '37',
    emulationMajor: major,
    emulationMinor: minor,
    minCompatibilityMajor: major,
    minCompatibilityMinor: String(lowest),
    gitVersion: `v${kubernetesVersion}`,
    gitCommit: 'binnacle',
    gitTreeState: 'clean',
    buildDate: '2026-09-23T17:06:22Z',
    goVersion: runtimeVersion,
    compiler: 'binnacle',
    platform: `${process.platform}/${process.arch === 'x64' ? 'amd64' : process.arch}`,
  } satisfies JsonObject;
}
