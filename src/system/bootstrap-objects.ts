import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../api/time/clock.ts';
import { copyJson, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../api/json/json.ts';
import type { KubernetesObject } from '../api/meta/object.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { modify } from '../operations/modify.ts';
import { type Operation, storeOfOperation } from '../operations/operation.ts';
import { objectKey } from '../registry/stored/store-kind.ts';
import { readable } from '../registry/stored/unreadable.ts';
import { systemOperation, systemWrite } from './system-operation.ts';

/** An object that the server creates for itself. */
export interface BootstrapObject {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** Fields that are restored at each start. */
  readonly kept: JsonObject;
  /** Fields set only on creation. */
  readonly initial?: JsonObject;
}

/** The PriorityClasses that the Priority plugin and the kubelet know by name. */
export const systemPriorityClasses: readonly BootstrapObject[] = [
  priorityClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
];

/**
 * Records since when the use of secret-based tokens is tracked: one without a last-used label has not been used since.
 */
export function legacyTokenTracking(nowMs: number): BootstrapObject {
  return {
    group: '',
    version: 'v1',
    resource: 'configmaps',
    kind: 'ConfigMap',
    namespace: 'kube-system',
    name: 'kube-apiserver-legacy-service-account-token-tracking',
    kept: {},
    initial: { data: { since: new Date(nowMs).toISOString().slice(0, 10) } },
  };
}

/** Creates the object if missing and restores changed fields; does not write otherwise. */
export async function ensureObject(kinds: KindRegistry, wanted: BootstrapObject, clock: Clock): Promise<void> {
  const { group, version, resource, kind, namespace, name, kept, initial = {} } = wanted;
  const scope = kinds.scopeOf(group, version, resource);
  if (scope?.store === undefined) return;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const identity = { kind, apiVersion, metadata: { name, ...(namespace === '' ? {} : { namespace }) } };
  await changeObject(systemOperation(scope, { kinds, clock, namespace }), name, (old) =>
    overlay(overlay(old ?? copyJson(initial), identity), kept),
  );
}

/**
 * Applies `change` to the object or its subresource, creating it if missing; `old` is a copy. Does not write if nothing
 * changes.
 */
export async function changeObject(
  operation: Operation,
  name: string,
  change: (old: JsonObject | undefined) => JsonObject,
): Promise<void> {
  const { scope, namespace } = operation;
  const store = storeOfOperation(operation, 'update');
  const { kv } = await store.storage.get(objectKey(store, namespace, name));
  // On most starts nothing changes, and detecting that through an update would cost ten times as much.
  if (
    kv !== undefined &&
    !changesAnything(await scope.conversion.fromStored(store.codec.decode(readable(store, kv))), change)
  )
    return;
  // Objects are JSON-shaped; `metadata` has a type of its own.
  const changed = (old: KubernetesObject | undefined): KubernetesObject => change(old) as KubernetesObject;
  await modify(operation, name, changed, systemWrite);
}

function changesAnything(
  stored: Readonly<KubernetesObject>,
  change: (old: JsonObject | undefined) => JsonObject,
): boolean {
  // Objects are JSON-shaped.
  const before = stored;
  return !isDeepStrictEqual(change(copyJson(before)), before);
}

/** Objects are merged; other values are replaced. */
function overlay(base: JsonObject, top: JsonObject): JsonObject {
  for (const [key, value] of Object.entries(top)) {
    const below: JsonValue | undefined = base[key];
    setOwn(base, key, isJsonObject(value) && isJsonObject(below) ? overlay(below, value) : copyJson(value));
  }
  return base;
}

function priorityClass(name: string, value: number, description: string): BootstrapObject {
  return {
    group: 'scheduling.k8s.io',
    version: 'v1',
    resource: 'priorityclasses',
    kind: 'PriorityClass',
    namespace: '',
    name,
    kept: {},
    initial: { value, description },
  };
}
