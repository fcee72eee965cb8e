import { ConfigError } from '../../api/errors/config-error.ts';
import { featureGates as table } from './generated/feature-gates.ts';
import { release as importedRelease } from './generated/release.ts';

/*
 * One gate per line, with its state from each release on:
 *
 *   APIServerIdentity 1.20af 1.26bt       alpha and off since 1.20, beta and on since 1.26
 *   CronJobsScheduledAnnotation 1.28bt 1.32gT    GA, on and locked since 1.32
 *   DRAExtendedResource 1.37bf 1.37bt@1.37       the second applies if the compatibility version is at least 1.37
 *   CompositePodGroup 1.37af needs=GenericWorkload,TopologyAwareWorkloadScheduling
 *
 * Stages: a alpha, b beta, g GA, d deprecated. t is on, f is off; a capital letter is locked.
 */

export type FeatureStage = 'PreAlpha' | 'ALPHA' | 'BETA' | 'GA' | 'DEPRECATED';

/** A gate in one release. */
export interface FeatureGate {
  readonly name: string;
  /** `PreAlpha`: the gate does not exist yet in that release. */
  readonly stage: FeatureStage;
  readonly enabledByDefault: boolean;
  /** Cannot be changed. */
  readonly locked: boolean;
  /** Gates that must be on if this one is. */
  readonly needs: readonly string[];
}

/** Thrown for unknown, locked and future gates. Messages match the reference. */
export class FeatureGateError extends ConfigError {
  override readonly code = 'FEATURE_GATE';
}

const stages: { readonly [letter: string]: FeatureStage } = { a: 'ALPHA', b: 'BETA', g: 'GA', d: 'DEPRECATED' };

/** Gates that set all gates of one stage. */
const groupGates: readonly FeatureGate[] = [
  { name: 'AllAlpha', stage: 'ALPHA', enabledByDefault: false, locked: false, needs: [] },
  { name: 'AllBeta', stage: 'BETA', enabledByDefault: false, locked: false, needs: [] },
];

let rows: ReadonlyMap<string, readonly string[]> | undefined;

function gateRows(): ReadonlyMap<string, readonly string[]> {
  rows ??= new Map(
    table
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', ...specs] = line.split(' ');
        return [name, specs];
      }),
  );
  return rows;
}

/** All gates in `release` (`1.37`), sorted by name, without `AllAlpha` and `AllBeta`. */
export function featureGatesOf(release: string): FeatureGate[] {
  return [...gateRows()].map(([name, specs]) => gateAt(name, specs, release));
}

/** A gate in `release`; undefined if unknown. */
export function featureGate(name: string, release: string): FeatureGate | undefined {
  const specs = gateRows().get(name);
  return specs === undefined ? groupGates.find((each) => each.name === name) : gateAt(name, specs, release);
}

/** State of every gate in `release`, with those set by `--feature-gates`. Throws `FeatureGateError`. */
export function resolveFeatureGates(
  configured: ReadonlyMap<string, boolean>,
  release: string,
): ReadonlyMap<string, boolean> {
  const gates = featureGatesOf(release);
  for (const [name, enabled] of configured) checkSetting(name, enabled, release);
  const ofStage = new Map(groupGates.map(({ name, stage }) => [stage, configured.get(name)]));
  const states = new Map(
    gates.map(({ name, stage, enabledByDefault }) => [
      name,
      configured.get(name) ?? ofStage.get(stage) ?? enabledByDefault,
    ]),
  );
  checkDependencies(gates, states);
  return states;
}

/** The reference reports several errors in random order; ours are sorted. */
function checkDependencies(gates: readonly FeatureGate[], states: ReadonlyMap<string, boolean>): void {
  const messages = gates.flatMap(({ name, needs }) => {
    const off = needs.filter((each) => states.get(each) !== true);
    if (states.get(name) !== true || off.length === 0) return [];
    return [`${name} is enabled, but depends on features that are disabled: [${off.join(' ')}]`];
  });
  if (messages.length > 0)
    throw new FeatureGateError(messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`);
}

function checkSetting(name: string, enabled: boolean, release: string): void {
  const gate = featureGate(name, release);
  if (gate === undefined) throw new FeatureGateError(`unrecognized feature gate: ${name}`);
  if (gate.locked && gate.enabledByDefault !== enabled) {
    throw new FeatureGateError(
      `cannot set feature gate ${name} to ${enabled}, feature is locked to ${gate.enabledByDefault}`,
    );
  }
  if (gate.stage === 'PreAlpha') {
    throw new FeatureGateError(
      `cannot set feature gate ${name} to ${enabled}, feature is PreAlpha at emulated version ${release}, ` +
        `min compatibility version ${releaseBefore(release)}`,
    );
  }
}

function gateAt(name: string, specs: readonly string[], release: string): FeatureGate {
  const spec = specs.findLast((each) => {
    const [, since = '', minimum] = /^([\d.]+)[A-Za-z]\w*(?:@(.+))?$/.exec(each) ?? [];
    if (since === '' || compareReleases(since, release) > 0) return false;
    return minimum === undefined || compareReleases(minimum, releaseBefore(release)) <= 0;
  });
  const [, stage = '', state = ''] = /^[\d.]+(\w)(\w)/.exec(spec ?? '') ?? [];
  return {
    name,
    stage: stages[stage] ?? 'PreAlpha',
    enabledByDefault: state.toLowerCase() === 't',
    locked: state === 'T' || state === 'F',
    needs:
      specs
        .find((each) => each.startsWith('needs='))
        ?.slice('needs='.length)
        .split(',') ?? [],
  };
}

/** The oldest release that can be emulated: three before this one. */
export const oldestRelease = minorsBefore(importedRelease, 3);

/** Peers may be one release older than the emulated one, but not older than any that can be emulated. */
export function releaseBefore(release: string): string {
  const before = minorsBefore(release, 1);
  return compareReleases(before, oldestRelease) < 0 ? oldestRelease : before;
}

function minorsBefore(release: string, count: number): string {
  return `1.${minorOf(release) - count}`;
}

/** The minor version of a release: 37 for `1.37`. */
export function minorOf(release: string): number {
  return Number(release.split('.')[1]);
}

/** Negative if `a` is older than `b`; both are `major.minor`. Without splitting, because a start compares hundreds. */
export function compareReleases(a: string, b: string): number {
  const dotA = a.indexOf('.');
  const dotB = b.indexOf('.');
  const majors = Number.parseInt(a.slice(0, dotA), 10) - Number.parseInt(b.slice(0, dotB), 10);
  return majors || Number.parseInt(a.slice(dotA + 1), 10) - Number.parseInt(b.slice(dotB + 1), 10);
}
