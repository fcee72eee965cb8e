import { formatDuration } from '../../../api/time/duration.ts';
import { isJsonObject } from '../../../api/json/json.ts';
import {
  type PluginConfiguration,
  PluginConfigurationError,
  readUnversioned,
} from '../../configuration/plugin-document.ts';

/** How a webhook is asked about images. */
export interface ImagePolicyConfig {
  readonly kubeConfigFile: string;
  /** How long answers are kept; 0: they are not. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  readonly retryBackoffMs: number;
  /** What counts when there is no answer. */
  readonly defaultAllow: boolean;
}

const minuteMs = 60_000;
const nanoMs = 1e-6;

/** Throws a PluginConfigurationError. */
export function readImagePolicyConfig(configuration: PluginConfiguration): ImagePolicyConfig {
  const { name, text } = configuration;
  if (text === undefined) throw new PluginConfigurationError(name, 'no config specified');
  const policy = readUnversioned(configuration)['imagePolicy'];
  const fields = isJsonObject(policy) ? policy : {};
  const read = (field: string, limits: Omit<Limits, 'value'>): number => {
    const value = Number(fields[field] ?? 0);
    return withinLimits(name, { ...limits, value });
  };
  const backoff = { unitMs: 1, leastMs: nanoMs, mostMs: 5 * minuteMs, usualMs: 500 };
  const ttl = { unitMs: 1000, leastMs: 1000, mostMs: 30 * minuteMs };
  return {
    retryBackoffMs: read('retryBackoff', backoff),
    allowTtlMs: read('allowTTL', { ...ttl, usualMs: 5 * minuteMs }),
    denyTtlMs: read('denyTTL', { ...ttl, usualMs: 30_000 }),
    kubeConfigFile: typeof fields['kubeConfigFile'] === 'string' ? fields['kubeConfigFile'] : '',
    defaultAllow: fields['defaultAllow'] === true,
  };
}

interface Limits {
  readonly value: number;
  readonly unitMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly usualMs: number;
}

/** 0: the usual; -1: none. */
function withinLimits(plugin: string, { value, unitMs, leastMs, mostMs, usualMs }: Limits): number {
  if (value === -1) return 0;
  if (value === 0) return usualMs;
  const ms = value * unitMs;
  if (ms >= leastMs && ms <= mostMs) return ms;
  const [least, most, given] = [leastMs, mostMs, ms].map((each) => formatDuration(BigInt(Math.round(each * 1e6))));
  throw new PluginConfigurationError(plugin, `valid value is between ${least} and ${most}, got ${given}`);
}
