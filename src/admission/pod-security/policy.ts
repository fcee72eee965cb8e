import { type FieldError, invalidField } from '../../api/field-error.ts';

const levels = ['privileged', 'baseline', 'restricted'] as const;
export type Level = (typeof levels)[number];

/** A level with the release that it is pinned to. */
export interface LevelVersion {
  readonly level: Level;
  /** Minor release: 25 is 1.25. */
  readonly version: number | 'latest';
}

/** Policy of a namespace. There is no `audit`, as there is no audit log yet. */
export interface Policy {
  readonly enforce: LevelVersion;
  readonly warn: LevelVersion;
}

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
export function policyOf(labels: Labels = {}): ReadPolicy {
  const errors: FieldError[] = [];
  const read = (mode: string, otherwise: Level): { readonly level?: Level; readonly version?: number | 'latest' } => ({
    ...levelOf(labels, `${prefix}${mode}`, { otherwise, errors }),
    ...versionOf(labels, `${prefix}${mode}-version`, errors),
  });
  const enforced = read('enforce', 'restricted');
  read('audit', 'privileged');
  const warned = read('warn', 'privileged');
  const enforce: LevelVersion = { level: 'privileged', version: 'latest', ...enforced };
  const isEnforced = enforced.level !== undefined && !errors.some(({ field }) => field === pathOf(`${prefix}enforce`));
  const follows = isEnforced && warned.level === undefined && enforce.level !== 'privileged';
  const warn: LevelVersion = follows
    ? { ...enforce, ...warned }
    : { level: 'privileged', version: 'latest', ...warned };
  return { policy: { enforce, warn }, errors };
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
  const [, minor] = /^v1\.(0|[1-9]\d*)$/.exec(text) ?? [];
  if (text !== 'latest' && minor === undefined) errors.push(invalidField(pathOf(label), text, versionMessage));
  return { version: minor === undefined ? 'latest' : Number(minor) };
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
