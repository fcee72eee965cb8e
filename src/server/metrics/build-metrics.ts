import { Metric, type MetricDefinition, type MetricLabels } from '../../api/metrics/metric.ts';
import { featureGate, releaseBefore } from '../../schema/kubernetes/feature-gates.ts';
import type { ApiConfig } from '../config.ts';
import { gatesByConfig } from '../kinds/served-by-config.ts';
import { kubernetesVersion, versionInfo } from '../version.ts';

const build: MetricDefinition = {
  name: 'kubernetes_build_info',
  help: '[BETA] The release of this server, and what it runs on.',
  type: 'gauge',
  overThreads: 'first',
  labelNames: [
    'build_date',
    'compiler',
    'git_commit',
    'git_tree_state',
    'git_version',
    'go_version',
    'major',
    'minor',
    'platform',
  ],
};

const version: MetricDefinition = {
  name: 'version_info',
  help: '[ALPHA] The release of this server, the release it emulates, and the oldest one it is compatible with.',
  type: 'gauge',
  overThreads: 'first',
  labelNames: ['binary', 'component', 'emulation', 'min_compat'],
};

const features: MetricDefinition = {
  name: 'kubernetes_feature_enabled',
  help: '[BETA] Feature gates with their stages, and whether they are on.',
  type: 'gauge',
  overThreads: 'first',
  labelNames: ['name', 'stage'],
};

/** Metrics of what the server is, which never change. */
export function buildMetrics(api: ApiConfig): readonly Metric[] {
  const release = api.emulatedVersion;
  return [
    constant(build, buildLabels(release)),
    constant(version, {
      binary: kubernetesVersion,
      component: 'kube',
      emulation: release,
      min_compat: releaseBefore(release),
    }),
    featureMetrics(api),
  ];
}

function constant(definition: MetricDefinition, labels: MetricLabels): Metric {
  const metric = new Metric(definition);
  metric.set(1, labels);
  return metric;
}

function buildLabels(release: string): MetricLabels {
  const info = versionInfo(release);
  return {
    build_date: info.buildDate,
    compiler: info.compiler,
    git_commit: info.gitCommit,
    git_tree_state: info.gitTreeState,
    git_version: info.gitVersion,
    go_version: info.goVersion,
    major: info.major,
    minor: info.minor,
    platform: info.platform,
  };
}

function featureMetrics(api: ApiConfig): Metric {
  const groups = ['AllAlpha', 'AllBeta'].map((name) => [name, api.featureGates.get(name) ?? false] as const);
  const metric = new Metric(features);
  for (const [name, isOn] of [...gatesByConfig(api), ...groups].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const stage = featureGate(name, api.emulatedVersion)?.stage ?? 'PreAlpha';
    if (stage !== 'PreAlpha') metric.set(isOn ? 1 : 0, { name, stage: stage === 'GA' ? '' : stage });
  }
  return metric;
}
