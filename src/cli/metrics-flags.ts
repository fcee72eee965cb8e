import type { ServerConfig } from '../server/config.ts';
import { allowedLabelsProblem, disabledMetricsProblem, type MetricsConfig } from '../metrics/metric-limits.ts';
import { kubernetesVersion } from '../server/version.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { FlagValueError, quotedStringMap, string, strings } from './flag-types.ts';

/** Flags of `/metrics`. */
export const metricsFlags: readonly BuiltFlag[] = [
  flag('allow-metric-labels', {
    type: quotedStringMap,
    help: 'allowed label values, as metric,label=value,value; others are shown as "unexpected"',
    set: (lists, config) => metrics(config, { allowedLabels: checked(lists, allowedLabelsProblem(lists)) }),
  }),
  flag('allow-metric-labels-manifest', {
    type: string,
    help: 'YAML file that maps metric,label to the allowed label values',
    set: (file, config) => metrics(config, { allowedLabelsFile: fileOf(file) }),
  }),
  flag('disabled-metrics', {
    type: strings,
    help: 'metrics to disable',
    set: (names, config) => metrics(config, { disabled: checked(names, disabledMetricsProblem(names)) }),
  }),
  flag('show-hidden-metrics-for-version', {
    type: string,
    help: 'the previous release, to show metrics hidden since then; there are none',
    set: (release) => checked({}, hiddenSinceProblem(release)),
  }),
];

function metrics({ metrics: before }: ServerConfig, changes: Partial<MetricsConfig>): Partial<ServerConfig> {
  return { metrics: { ...before, ...changes } };
}

/** Throws a FlagValueError if there is a problem. */
function checked<T>(value: T, problem: string | undefined): T {
  if (problem !== undefined) throw new FlagValueError(problem);
  return value;
}

function hiddenSinceProblem(release: string): string | undefined {
  const [major = '', minor = ''] = kubernetesVersion.split('.');
  const previous = `${major}.${Number(minor) - 1}`;
  if (release === '' || release === previous) return undefined;
  const rule = `must be omitted or have the value '${previous}'; only the previous minor version is allowed`;
  return `metrics.showHiddenMetricsForVersion: Invalid value: ${JSON.stringify(release)}: ${rule}`;
}

/** Why a combination of flags is invalid; undefined: it is not. */
export function metricsProblem({ allowedLabels, allowedLabelsFile }: MetricsConfig): string | undefined {
  if (allowedLabels === undefined || allowedLabelsFile === undefined) return undefined;
  return 'metrics: cannot specify both allowListMapping and allowListMappingManifest';
}
