import { keptBy } from '../../api/collections/kept-by.ts';
import { servedResources } from '../../schema/kubernetes/api-enablement.ts';
import { resolveFeatureGates } from '../../schema/kubernetes/feature-gates.ts';
import type { Resource } from '../../schema/resource.ts';
import type { ApiConfig } from '../config.ts';

/** State of every feature gate. Throws a ConfigError. */
export const gatesByConfig: (config: ApiConfig) => ReadonlyMap<string, boolean> = keptBy(
  ({ featureGates, emulatedVersion }) => resolveFeatureGates(featureGates, emulatedVersion),
);

/** The resources served under gates, release and runtime configuration. Throws a ConfigError. */
export function servedByConfig(config: ApiConfig): readonly Resource[] {
  const { runtimeConfig, emulatedVersion: release } = config;
  const featureGates = gatesByConfig(config);
  return servedResources(runtimeConfig, {
    release,
    featureGates,
    forwardCompatible: config.emulationForwardCompatible,
    servesRemoved: config.servesRemoved,
    namedForwardCompatible: config.runtimeConfigEmulationForwardCompatible,
  });
}
