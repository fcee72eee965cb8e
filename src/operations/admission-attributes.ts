import type { AdmissionAttributes, AdmissionOperation, VersionedObjects } from '../api/admission.ts';
import { type GroupVersionKind, parseApiVersion } from '../api/group-version.ts';
import type { JsonObject } from '../api/json.ts';
import { cloneObject, type KubernetesObject } from '../api/object.ts';
import { type Soon, soon } from '../api/soon.ts';
import { inTurns } from '../api/turns.ts';
import type { Operation } from './operation.ts';
import { defaultedForStore, type ResourceScope } from './resource-scope.ts';

/** A write as submitted to admission. */
export interface AdmittedWrite {
  readonly operation: AdmissionOperation;
  readonly name: string;
  readonly object: KubernetesObject | undefined;
  readonly oldObject: Readonly<KubernetesObject> | undefined;
  readonly dryRun: boolean;
  /** If it is not the resource's own. */
  readonly kind?: string;
  /** If they are not the operation's. */
  readonly options?: () => JsonObject;
}

/** The attributes of an admission request. */
export function admissionAttributes(operation: Operation, write: AdmittedWrite): AdmissionAttributes {
  const { scope, subresource, namespace, user } = operation;
  const { group, version, plural, namespaced, kind } = scope.resource;
  const { object, oldObject } = write;
  return {
    operation: write.operation,
    group,
    version,
    resource: plural,
    subresource: subresource?.name ?? '',
    kind: write.kind ?? kind,
    namespaced,
    namespace,
    name: write.name,
    object,
    oldObject,
    dryRun: write.dryRun,
    user,
    get options() {
      return optionsOf(operation, write);
    },
    inVersion: (target) => inVersion(operation, write, target),
    replaceObject: (replacement) => replaceObject(operation, object, replacement),
    warn: (text) => operation.warn(text),
  };
}

const optionsKinds: Readonly<Record<AdmissionOperation, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
  CONNECT: 'ConnectOptions',
};

function optionsOf(operation: Operation, write: AdmittedWrite): JsonObject {
  const given = (write.options ?? operation.options)?.() ?? {};
  return { kind: optionsKinds[write.operation], apiVersion: 'meta.k8s.io/v1', ...given };
}

function inVersion(
  { kinds }: Operation,
  { object, oldObject }: AdmittedWrite,
  target: GroupVersionKind,
): Soon<VersionedObjects | undefined> {
  const scope = kinds.scopeOfKind(target);
  if (scope === undefined) return undefined;
  return soon(copyIn(scope, object), (seen) =>
    soon(copyIn(scope, oldObject), (old) => ({ object: seen, oldObject: old })),
  );
}

function copyIn(
  { conversion }: ResourceScope,
  object: Readonly<KubernetesObject> | undefined,
): Soon<KubernetesObject | undefined> {
  return object === undefined ? undefined : conversion.fromStored(cloneObject(object));
}

/** In place: the write already holds a reference to the object. */
async function replaceObject(
  { kinds }: Operation,
  object: KubernetesObject | undefined,
  replacement: KubernetesObject,
): Promise<void> {
  if (object === undefined) throw new Error('a deletion has no object that could be replaced');
  const { apiVersion, kind } = replacement;
  const version = parseApiVersion(apiVersion);
  const scope = version === undefined ? undefined : kinds.scopeOfKind({ ...version, kind });
  if (scope === undefined) throw new Error(`${apiVersion} ${kind} is not served`);
  const stored = await inTurns(defaultedForStore(scope, replacement));
  for (const field of Object.keys(object)) delete object[field];
  Object.assign(object, stored);
}
