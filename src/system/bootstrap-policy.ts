import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../api/time/clock.ts';
import { once } from '../api/collections/kept-by.ts';
import { cloneObject, type KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { splitBindings } from '../authorization/rbac/bootstrap/bindings.ts';
import { bootstrapPolicy } from '../authorization/rbac/bootstrap/policy-objects.ts';
import { isProtected, reconciledBinding, reconciledRole } from '../authorization/rbac/reconcile.ts';
import { aggregatedRules } from '../controllers/cluster-role-aggregation-controller.ts';
import { create } from '../operations/create.ts';
import { deleteNamed } from '../operations/delete.ts';
import type { KindRegistry } from '../operations/kinds.ts';
import { noOptions } from '../registry/kinds/delete-options.ts';
import { readable } from '../registry/stored/unreadable.ts';
import { modify } from '../operations/modify.ts';
import type { Operation } from '../operations/operation.ts';
import type { ClusterRole, ClusterRoleBinding } from '../schema/kubernetes/generated/types/rbac-v1.ts';
import { prefixEnd } from '../storage/contract.ts';
import { systemOperation, systemWrite } from './system-operation.ts';

export interface BootstrapPolicyOptions {
  readonly kinds: KindRegistry;
  readonly gates: ReadonlyMap<string, boolean>;
  readonly clock: Clock;
  /** Called for objects that cannot be written. */
  readonly onError: (error: unknown) => void;
}

/** The change to an existing object; undefined: none. */
type Reconcile = (existing: KubernetesObject, wanted: KubernetesObject) => KubernetesObject | 'recreate' | undefined;

// Objects are decoded by the schemas of their kinds.
const reconcileRole = reconciledRole as Reconcile;
const reconcileBinding = reconciledBinding as Reconcile;

/** Creates the bootstrap roles and bindings, and restores what existing ones lack. */
export async function ensureBootstrapPolicy(options: BootstrapPolicyOptions): Promise<void> {
  const { roles, bindings } = bootstrapPolicy(options.gates);
  const wanted = [...roles, ...bindings] as KubernetesObject[];
  const gathered = once(() => withAggregatedRules(wanted.filter(({ kind }) => kind === 'ClusterRole')));
  const complete = (object: KubernetesObject): KubernetesObject => gathered().get(object) ?? object;
  await Promise.all(
    policyKinds.map((row) =>
      ensureAll(options, { ...row, complete, wanted: wanted.filter((object) => object['kind'] === row.kind) }),
    ),
  );
}

interface PolicyKind {
  readonly resource: string;
  readonly kind: string;
  readonly reconcile: Reconcile;
  /** Objects split off from another one, with whose contents they begin. */
  readonly splits?: ReadonlyMap<string, string>;
}

const policyKinds: readonly PolicyKind[] = [
  { resource: 'clusterroles', kind: 'ClusterRole', reconcile: reconcileRole },
  { resource: 'roles', kind: 'Role', reconcile: reconcileRole },
  { resource: 'clusterrolebindings', kind: 'ClusterRoleBinding', reconcile: reconcileBinding, splits: splitBindings },
  { resource: 'rolebindings', kind: 'RoleBinding', reconcile: reconcileBinding },
];

/**
 * New roles get their aggregated rules at once instead of from the controller, which saves writes on the first start.
 */
function withAggregatedRules(roles: readonly KubernetesObject[]): ReadonlyMap<KubernetesObject, KubernetesObject> {
  const byName = new Map(
    roles.map((role) => [role.metadata.name ?? '', { ...role } as KubernetesObject & ClusterRole]),
  );
  // Aggregated roles can be aggregated in turn.
  for (let changed = true; changed;) {
    changed = false;
    for (const role of byName.values()) {
      const rules = aggregatedRules(role, byName);
      if (rules === undefined || isDeepStrictEqual(rules, role.rules)) continue;
      role.rules = [...rules];
      changed = true;
    }
  }
  return new Map(roles.map((role) => [role, byName.get(role.metadata.name ?? '') ?? role]));
}

interface WantedObjects extends Omit<PolicyKind, 'kind'> {
  readonly wanted: readonly KubernetesObject[];
  /** A wanted object as it is created. */
  readonly complete: (wanted: KubernetesObject) => KubernetesObject;
}

async function ensureAll(
  { kinds, clock, onError }: BootstrapPolicyOptions,
  { resource, reconcile, splits, wanted, complete }: WantedObjects,
): Promise<void> {
  const scope = kinds.scopeOf('rbac.authorization.k8s.io', 'v1', resource);
  if (scope?.store === undefined) return;
  const { store } = scope;
  const { storage, keyPrefix, codec } = store;
  const { kvs } = await storage.range({ start: keyPrefix, end: prefixEnd(keyPrefix) });
  const existing = new Map(kvs.map((kv) => [kv.key.slice(keyPrefix.length), kv]));
  await Promise.all(
    wanted.map(async (object) => {
      const { namespace = '', name = '' } = object.metadata;
      const operation = systemOperation(scope, { kinds, clock, namespace });
      const kv = existing.get(namespace === '' ? name : `${namespace}/${name}`);
      const source = kv === undefined ? existing.get(splits?.get(name) ?? '') : undefined;
      try {
        if (source !== undefined)
          await createMissing(
            operation,
            splitOff(object, codec.decode(readable(store, source)) as KubernetesObject & ClusterRoleBinding),
          );
        else if (kv === undefined) await createMissing(operation, complete(object));
        else if (!showsAll(readable(store, kv).value, object)) {
          await ensureOne(operation, { existing: codec.decode(kv), wanted: object }, reconcile);
        }
      } catch (error) {
        onError(error);
      }
    }),
  );
}

/** A binding that starts with the subjects, labels and annotations of the one it was split off from. */
function splitOff(wanted: KubernetesObject, source: KubernetesObject & ClusterRoleBinding): KubernetesObject {
  const { labels = {}, annotations = {} } = source.metadata;
  const { metadata, ...binding } = cloneObject(wanted);
  const split = { ...binding, metadata: { ...metadata, labels, annotations }, subjects: source.subjects ?? [] };
  return changed(split, wanted, reconcileBinding);
}

/**
 * Whether the stored JSON literally contains everything wanted: a restart of an unchanged server then decodes none of
 * its policy.
 */
function showsAll(stored: Uint8Array, { metadata, ...wanted }: KubernetesObject): boolean {
  const text = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  return [metadata.labels, metadata.annotations, wanted].every((fields = {}) =>
    Object.entries(fields).every(([name, value]) => text.includes(`${JSON.stringify(name)}:${JSON.stringify(value)}`)),
  );
}

async function createMissing(operation: Operation, object: KubernetesObject): Promise<void> {
  try {
    await create(operation, object, systemWrite);
  } catch (error) {
    // Created by another server of the store.
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

async function ensureOne(
  operation: Operation,
  { existing, wanted }: { readonly existing: KubernetesObject; readonly wanted: KubernetesObject },
  reconcile: Reconcile,
): Promise<void> {
  const result = isProtected(existing) ? undefined : reconcile(existing, wanted);
  if (result === undefined) return;
  const { name = '', uid = '' } = existing.metadata;
  if (result === 'recreate') {
    await deleteNamed(operation, name, { ...noOptions, preconditions: { uid } });
    await createMissing(operation, wanted);
    return;
  }
  await modify(operation, name, (old) => changed(old, wanted, reconcile), systemWrite);
}

/** Repeated for each state that concurrent writers leave. */
function changed(old: KubernetesObject | undefined, wanted: KubernetesObject, reconcile: Reconcile): KubernetesObject {
  if (old === undefined) return cloneObject(wanted);
  const again = isProtected(old) ? undefined : reconcile(old, wanted);
  return again === undefined || again === 'recreate' ? old : again;
}
