import { RuntimeConfigError, servedResources } from '../schema/kubernetes/api-enablement.ts';
import { FeatureGateError, resolveFeatureGates } from '../schema/kubernetes/feature-gates.ts';
import type { Resource } from '../schema/resource.ts';
import type { ApiConfig } from './config.ts';
import { asConfigError } from './config-error.ts';

/** The resources that gates, release and runtime configuration serve. Throws a ConfigError. */
export function servedByConfig({ featureGates, emulatedVersion, runtimeConfig }: ApiConfig): readonly Resource[] {
  const gates = asConfigError(FeatureGateError, () => resolveFeatureGates(featureGates, emulatedVersion));
  return asConfigError(RuntimeConfigError, () =>
    servedResources(runtimeConfig, { release: emulatedVersion, featureGates: gates }),
  );
}
