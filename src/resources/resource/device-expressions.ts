import { minorOf, releaseBefore } from '../../schema/kubernetes/feature-gates.ts';
import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../define-kind.ts';
import type { KindEnvironment } from '../kind-environment.ts';
import { PreparedChecks } from '../parts/prepared-checks.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import type { DeviceExpressionChecks } from './device-expression-checks.ts';

// CEL is not loaded for objects without expressions.

const prepared = new PreparedChecks<DeviceExpressionChecks>();

/** The checks of an object whose expressions are validated. */
export function deviceExpressions(object: object): DeviceExpressionChecks {
  return prepared.of(object);
}

type Configured = Pick<KindEnvironment, 'release' | 'featureGates'>;
type Hooks<T> = Pick<StrategyOf<T>, 'beginCreate' | 'beginUpdate'>;

/** New expressions must be valid in the previous release. */
function loaded({ release, featureGates }: Configured): () => Promise<DeviceExpressionChecks> {
  const minor = minorOf(releaseBefore(release));
  const isOn = (gate: string): boolean => featureGates.get(gate) === true;
  const features = { sharing: isOn('DRAConsumableCapacity'), lists: isOn('DRAListTypeAttributes') };
  return async () => {
    const checks = await import('./device-expression-checks.ts');
    await checks.prepareExpressions();
    return new checks.DeviceExpressionChecks(minor, features);
  };
}

/** Loads the validation of expressions of claims, which do not change. */
export function claimExpressions(environment: Configured): Hooks<resource.ResourceClaim> {
  return prepared.hooks(
    loaded(environment),
    ({ spec }: resource.ResourceClaim, old?: resource.ResourceClaim) =>
      old === undefined && hasExpressions(spec?.devices),
  );
}

/** Loads the validation of expressions of claim templates. */
export function claimTemplateExpressions(environment: Configured): Hooks<resource.ResourceClaimTemplate> {
  return prepared.hooks(loaded(environment), ({ spec }: resource.ResourceClaimTemplate) =>
    hasExpressions(spec?.spec?.devices),
  );
}

/** Loads the validation of expressions of device classes. */
export function deviceClassExpressions(environment: Configured): Hooks<resource.DeviceClass> {
  return prepared.hooks(
    loaded(environment),
    ({ spec }: resource.DeviceClass, old?: resource.DeviceClass) =>
      spec?.selectors !== undefined && !sameValue(spec.selectors, old?.spec?.selectors),
  );
}

type Wanted = resource.ExactDeviceRequest | resource.DeviceSubRequest;

function hasExpressions({ requests = [] }: resource.DeviceClaim = {}): boolean {
  const hasSome = ({ selectors = [], derivedAttributes = [] }: Wanted): boolean =>
    selectors.length > 0 || derivedAttributes.length > 0;
  return requests.some(({ exactly = {}, firstAvailable = [] }) => hasSome(exactly) || firstAvailable.some(hasSome));
}
