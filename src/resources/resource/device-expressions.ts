import { minorOf, releaseBefore } from '../../schema/kubernetes/feature-gates.ts';
import type * as resource from '../../schema/kubernetes/generated/types/resource-v1.ts';
import type { StrategyOf } from '../define-kind.ts';
import { PreparedChecks } from '../parts/prepared-checks.ts';
import { sameValue } from '../parts/rules/same-value.ts';
import type { DeviceExpressionChecks } from './device-expression-checks.ts';

// CEL is not loaded for objects without expressions.

const prepared = new PreparedChecks<DeviceExpressionChecks>();

/** The checks of an object whose expressions are validated. */
export function deviceExpressions(object: object): DeviceExpressionChecks {
  return prepared.of(object);
}

type Gates = ReadonlyMap<string, boolean>;
type Hooks<T> = Pick<StrategyOf<T>, 'beginCreate' | 'beginUpdate'>;

const gatesByDefault: Gates = new Map([['DRAConsumableCapacity', true]]);

/** New expressions must be valid in the previous release. */
function loaded(release: string, gates: Gates): () => Promise<DeviceExpressionChecks> {
  const minor = minorOf(releaseBefore(release));
  const isOn = (gate: string): boolean => gates.get(gate) === true;
  const features = { sharing: isOn('DRAConsumableCapacity'), lists: isOn('DRAListTypeAttributes') };
  return async () => {
    const checks = await import('./device-expression-checks.ts');
    await checks.prepareExpressions();
    return new checks.DeviceExpressionChecks(minor, features);
  };
}

/** Loads the validation of expressions of claims, which do not change. */
export function claimsAs(release: string, gates = gatesByDefault): Hooks<resource.ResourceClaim> {
  return prepared.hooks(
    loaded(release, gates),
    ({ spec }: resource.ResourceClaim, old?: resource.ResourceClaim) =>
      old === undefined && hasExpressions(spec?.devices),
  );
}

/** Loads the validation of expressions of claim templates. */
export function claimTemplatesAs(release: string, gates = gatesByDefault): Hooks<resource.ResourceClaimTemplate> {
  return prepared.hooks(loaded(release, gates), ({ spec }: resource.ResourceClaimTemplate) =>
    hasExpressions(spec?.spec?.devices),
  );
}

/** Loads the validation of expressions of device classes. */
export function deviceClassesAs(release: string, gates = gatesByDefault): Hooks<resource.DeviceClass> {
  return prepared.hooks(
    loaded(release, gates),
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
