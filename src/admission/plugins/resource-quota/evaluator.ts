import type { AdmissionAttributes } from '../../../api/contracts/admission.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { Soon } from '../../../api/scheduling/soon.ts';
import type { StoredCollection, StoredObjects } from '../../../api/contracts/stored-objects.ts';
import type { Amounts } from '../parts/pod-amounts.ts';
import type { DeviceClasses } from './device-classes.ts';

/** What an object takes of a quota, by the names that quotas have for it, and which scopes it is in. */
export interface Usage {
  readonly amounts: Amounts;
  readonly scopes: Scopes;
  /** It may become another without a change of the object. */
  readonly isPassing?: boolean;
}

/** Boolean scopes and scopes with values. A scope that does not apply to the kind is in neither. */
export interface Scopes {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly string[]>;
}

export const noScopes: Scopes = { flags: new Set(), values: new Map() };

/** What usage depends on beside the object. */
export interface UsageContext {
  readonly nowMs: number;
  readonly isOn: (gate: string) => boolean;
  readonly stored: StoredObjects;
  readonly classes: DeviceClasses;
}

/** How the objects of one kind count against quotas. */
export interface Evaluator {
  readonly collection: StoredCollection;
  /** Whether a write may change what is used. */
  handles(attributes: AdmissionAttributes): boolean;
  /** Whether objects of the kind count under this name of a quota. */
  counts(name: string, context: Pick<UsageContext, 'isOn' | 'classes'>): boolean;
  /** What each object uses, where that is the same for all. */
  readonly constant?: Usage;
  usageOf(object: Readonly<KubernetesObject>, context: UsageContext): Soon<Usage>;
  /** What an object does not say although quotas of these names want it said; absent or undefined: nothing. */
  missing?(
    object: Readonly<KubernetesObject>,
    names: readonly string[],
    context: Pick<UsageContext, 'isOn'>,
  ): string | undefined;
}

/** The name under which a quota counts the objects of any kind. */
export function countName({ group, plural }: Pick<StoredCollection, 'group' | 'plural'>): string {
  return group === '' ? `count/${plural}` : `count/${plural}.${group}`;
}
