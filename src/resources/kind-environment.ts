import type { PartContext } from '../api/contracts/part.ts';
import type { StoredObjects } from '../api/contracts/stored-objects.ts';
import type { ClusterPolicy } from '../api/errors/field-error.ts';
import type { DelayedWrites } from '../api/scheduling/delayed-writes.ts';
import type { EscalationGuard } from '../registry/kinds/escalation-guard.ts';
import type { ResourceOfKind } from './admissionregistration/param-permission.ts';
import type { ServiceAllocationOptions } from './core/service/allocation/service-allocation.ts';

/** What the definitions of built-in kinds depend on: flags, gates, the emulated release, and parts of the server. */
export interface KindEnvironment {
  /** The emulated release. New expressions must be valid in the one before it. */
  readonly release: string;
  /** State of every gate. */
  readonly featureGates: ReadonlyMap<string, boolean>;
  /** Rules that are disabled by flags or gates. */
  readonly disabledPolicies: ReadonlySet<ClusterPolicy>;
  readonly services: Omit<ServiceAllocationOptions, 'disabledPolicies'>;
  /** Prevents writers of roles and bindings from escalating their own rights. */
  readonly escalation: () => EscalationGuard;
  readonly stored: () => StoredObjects;
  readonly resourceOfKind: ResourceOfKind;
  /** Registers a metric. */
  readonly metric: PartContext['metric'];
  /** Writes of this server that are not yet stored, such as charges of quotas. */
  readonly delayed: DelayedWrites;
}
