import { type FieldError, invalidField } from '../../../api/errors/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** A level with the release that it is pinned to. */
export interface LevelVersion {
  readonly level: Level;
  /** Minor release: 25 is 1.25. */
  readonly version: number | 'latest';
}

const modes = ['enforce', 'audit', 'warn'] as const;
export type Mode = (typeof modes)[number];

/** Policy of a namespace, by mode. */
export type Policy = Readonly<Record<Mode, LevelVersion>>;

const privileged: LevelVersion = { level: 'privileged', version: 'latest' };
export const privilegedPolicy: Policy = { enforce: privileged, audit: privileged, warn: privileged };

export interface ReadPolicy {
  readonly policy: Policy;
  /** Errors in the labels. */
  readonly errors: readonly FieldError[];
}

const prefix = 'pod-security.kubernetes.io/';
const levelMessage = `must be one of ${levels.join(', ')}`;
const versionMessage = 'must be "latest" or "v1.x"';

type Labels = { readonly [label: string]: string };

/** Parses the labels of a namespace. An invalid enforce level means `restricted`, other invalid levels `privileged`. */
export function policyOf(labels: Labels = {}, defaults: Policy = privilegedPolicy): ReadPolicy {
  const errors: FieldError[] = [];
  const read = (mode: Mode, otherwise: Level): Partial<LevelVersion> => ({
    ...levelOf(labels, `${prefix}${mode}`, { otherwise, errors }),
    ...versionOf(labels, `${prefix}${mode}-version`, errors),
  });
  const enforced = read('enforce', 'restricted');
  const audited = read('audit', 'privileged');
  const warned = read('warn', 'privileged');
  const enforce = { ...defaults.enforce, ...enforced };
  const isEnforced = enforced.level !== undefined && !errors.some(({ field }) => field === pathOf(`${prefix}enforce`));
  const follows = isEnforced && warned.level === undefined && compareLevels(enforce.level, defaults.warn.level) > 0;
  const warn = { ...defaults.warn, ...(follows ? enforce : {}), ...warned };
  return { policy: { enforce, audit: { ...defaults.audit, ...audited }, warn }, errors };
}

export function isPrivileged(policy: Policy): boolean {
  return modes.every((mode) => policy[mode].level === 'privileged');
}

/** Parts of a policy that labels ask for and that are not privileged, such as `enforce=baseline:latest`. */
export function formatRequested(policy: Policy, labels: Labels): string {
  const isRequested = (mode: Mode): boolean =>
    policy[mode].level !== 'privileged' &&
    (Object.hasOwn(labels, `${prefix}${mode}`) || Object.hasOwn(labels, `${prefix}${mode}-version`));
  return modes
    .filter(isRequested)
    .map((mode) => `${mode}=${formatLevel(policy[mode])}`)
    .join(', ');
}

/** What is wrong with a level or a version that a configuration names; undefined: nothing. */
export function levelProblem(text: string): string | undefined {
  return levels.some((level) => level === text) ? undefined : levelMessage;
}

export function versionProblem(text: string): string | undefined {
  return text === 'latest' || minorOf(text) !== undefined ? undefined : versionMessage;
}

/** A level that `levelProblem` and `versionProblem` find nothing wrong with. */
export function levelVersionOf(level: string, version: string): LevelVersion {
  return {
    level: levels.find((each) => each === level) ?? 'restricted',
    version: version === 'latest' ? version : (minorOf(version) ?? 'latest'),
  };
}

function minorOf(text: string): number | undefined {
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? [];
  return minor === undefined ? undefined : Number(minor);
}

function levelOf(
  labels: Labels,
  label: string,
  { otherwise, errors }: { readonly otherwise: Level; readonly errors: FieldError[] },
): { readonly level?: Level } {
  const text = labels[label];
  if (text === undefined) return {};
  const level = levels.find((each) => each === text);
  if (level === undefined) errors.push(invalidField(pathOf(label), text, levelMessage));
  return { level: level ?? otherwise };
}

function versionOf(labels: Labels, label: string, errors: FieldError[]): { readonly version?: number | 'latest' } {
  const text = labels[label];
  if (text === undefined) return {};
  const problem = versionProblem(text);
  if (problem !== undefined) errors.push(invalidField(pathOf(label), text, problem));
  return { version: minorOf(text) ?? 'latest' };
}

function pathOf(label: string): string {
  return `metadata.labels[${label}]`;
}

/** `restricted:v1.25` */
export function formatLevel({ level, version }: LevelVersion): string {
  return `${level}:${version === 'latest' ? version : `v1.${version}`}`;
}

/** Negative when `a` is less restrictive. */
export function compareLevels(a: Level, b: Level): number {
  return levels.indexOf(a) - levels.indexOf(b);
}
