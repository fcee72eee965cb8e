import { readFile } from 'node:fs/promises';
import { ConfigError } from '../api/errors/config-error.ts';
import { isJsonObject } from '../api/json/json.ts';
import type { OverThreads } from '../api/metrics/metric.ts';
import type { DecodedBody } from '../codec/serializer.ts';
import { yamlSerializer } from '../codec/yaml-serializer.ts';
import { type ExposedMetric, type ExposedValue, type ReadMetric, requestedMetric } from './exposition.ts';

/** Limits of the exposed metrics. */
export interface MetricsConfig {
  /** Names of disabled metrics. */
  readonly disabled: readonly string[];
  /** Allowed values, separated by commas, by `metric,label`; undefined: those of the file. */
  readonly allowedLabels: ReadonlyMap<string, string> | undefined;
  /** A YAML file of such a map; undefined: none. */
  readonly allowedLabelsFile: string | undefined;
}

export const metricsDefaults: MetricsConfig = {
  disabled: [],
  allowedLabels: undefined,
  allowedLabelsFile: undefined,
};

/** The allowed values of labels, by metric and label. */
type AllowedValues = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

export interface MetricLimits {
  readonly disabled: ReadonlySet<string>;
  readonly allowed: AllowedValues;
}

const labelName = '[a-zA-Z_][a-zA-Z0-9_]*';
const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const metricPattern = new RegExp(`^${metricName}$`);
const keyPattern = new RegExp(`^${metricName},${labelName}$`);
/** The replacement for values that are not allowed. */
const unexpected = 'unexpected';

/** Problems with names of metrics, in the reference's words; undefined if there are none. */
export function disabledMetricsProblem(names: readonly string[]): string | undefined {
  const wrong = names.find((name) => !metricPattern.test(name));
  if (wrong === undefined) return undefined;
  const rule = `must be fully qualified metric names matching ${JSON.stringify(metricPattern.source)}`;
  return `metrics.disabledMetrics: Invalid value: ${JSON.stringify(names)}: ${rule}, got ${JSON.stringify(wrong)}`;
}

/** Problems with the keys of an allow list; undefined if there are none. */
export function allowedLabelsProblem(lists: ReadonlyMap<string, string>, field = 'allowListMapping') {
  if ([...lists.keys()].every((key) => keyPattern.test(key))) return undefined;
  const shown = JSON.stringify(Object.fromEntries([...lists].toSorted(([a], [b]) => (a < b ? -1 : 1))));
  const rule = `metricName matches ${JSON.stringify(metricName)} and labelName matches ${JSON.stringify(labelName)}`;
  return `metrics.${field}: Invalid value: ${shown}: must have keys with format \`metricName,labelName\` where ${rule}`;
}

/** Throws a ConfigError for an invalid file. */
export async function readMetricLimits(config: MetricsConfig): Promise<MetricLimits> {
  const { disabled, allowedLabels, allowedLabelsFile } = config;
  const given = allowedLabelsFile === undefined ? new Map<string, string>() : await readLists(allowedLabelsFile);
  return { disabled: new Set(disabled), allowed: allowedValues(allowedLabels ?? given) };
}

/** Rejects if it is no YAML. */
async function parsed(text: Uint8Array): Promise<DecodedBody> {
  return yamlSerializer.decode(text);
}

async function readLists(path: string): Promise<ReadonlyMap<string, string>> {
  const refuse = (why: string, cause?: unknown): never => {
    const field = 'metrics.allowListMappingManifest';
    throw new ConfigError(`${field}: Invalid value: ${JSON.stringify(path)}: ${why}`, { cause });
  };
  const text = await readFile(path).catch((error: unknown) =>
    refuse(`failed to read allow list manifest: ${error instanceof Error ? error.message : String(error)}`, error),
  );
  const { source } = await parsed(text).catch((error: unknown) =>
    refuse(`failed to parse allow list manifest: ${error instanceof Error ? error.message : String(error)}`, error),
  );
  const entries = isJsonObject(source.value) ? Object.entries(source.value) : [];
  const lists = new Map<string, string>();
  for (const [key, value] of entries) {
    if (typeof value !== 'string') return refuse(`failed to parse allow list manifest: ${key} is not a string`);
    lists.set(key, value);
  }
  const problem = allowedLabelsProblem(lists, 'allowListMappingManifest');
  return problem === undefined ? lists : refuse(`invalid allow list mapping in manifest: [${problem}]`);
}

function allowedValues(lists: ReadonlyMap<string, string>): AllowedValues {
  const metrics = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [key, values] of lists) {
    const [metric = '', label = ''] = key.split(',');
    const labels = metrics.get(metric) ?? new Map<string, ReadonlySet<string>>();
    metrics.set(metric, labels.set(label, new Set(values.split(','))));
  }
  return metrics;
}

/**
 * The metrics within limits: all series are counted separately, and those that are not allowed are merged on output.
 * Adds metrics about hidden ones.
 */
export function limitedMetrics(
  metrics: readonly ExposedMetric[],
  { disabled, allowed }: MetricLimits,
): readonly ExposedMetric[] {
  const reads: (() => Promise<Limited>)[] = [];
  const shown = metrics.map((metric) => {
    const labels = allowed.get(metric.name);
    if (labels === undefined || disabled.has(metric.name)) return metric;
    const read = (): Promise<Limited> => readLimited(metric, labels);
    reads.push(read);
    return { name: metric.name, get: async () => (await read()).shown };
  });
  const unexpectedTotal = async (): Promise<number> => {
    const all = await Promise.all(reads.map((read) => read()));
    return all.reduce((sum, { hidden }) => sum + hidden, 0);
  };
  const counter = (name: string, help: string, overThreads: OverThreads, value: () => Promise<number> | number) =>
    requestedMetric({ name, help, type: 'counter', overThreads }, async () => [{ labels: {}, value: await value() }]);
  const total = 'cardinality_enforcement_unexpected_categorizations_total';
  return [
    ...shown,
    counter(total, 'Label values outside the allowed ones.', 'sum', unexpectedTotal),
    counter('disabled_metrics_total', 'Disabled metrics.', 'first', () => disabled.size),
    counter('hidden_metrics_total', 'Deprecated metrics that are hidden.', 'first', () => 0),
  ].filter(({ name }) => !disabled.has(name));
}

interface Limited {
  readonly shown: ReadMetric;
  /** How many observations had a value that is not allowed. */
  readonly hidden: number;
}

async function readLimited(metric: ExposedMetric, allowed: ReadonlyMap<string, ReadonlySet<string>>): Promise<Limited> {
  const read = await metric.get();
  const isGauge = read.type === 'gauge';
  const series = new Map<string, ExposedValue>();
  let hidden = 0;
  for (const { metricName, sharedLabels, value, ...own } of read.values) {
    const labels = { ...own.labels, ...sharedLabels };
    const wrong = [...allowed].filter(([label, values]) => isForbidden(labels[label], values));
    for (const [label] of wrong) labels[label] = unexpected;
    if (!/_(?:sum|bucket)$/.test(metricName ?? '')) hidden += wrong.length * (isGauge ? 1 : value);
    const id = JSON.stringify([metricName, Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1))]);
    const sum = isGauge ? value : value + (series.get(id)?.value ?? 0);
    series.set(id, { ...(metricName === undefined ? {} : { metricName }), labels, value: sum });
  }
  return { shown: { ...read, values: series.values() }, hidden };
}

function isForbidden(value: string | number | undefined, allowed: ReadonlySet<string>): boolean {
  return value !== undefined && !allowed.has(String(value));
}
