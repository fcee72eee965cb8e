import type { KubernetesObject } from '../../api/object.ts';
import { inTurns } from '../../api/turns.ts';
import { createObject } from '../../registry/create.ts';
import {
  dedupOwnerReferences,
  ensureNamespaceMatches,
  expectedNamespace,
  wipeSystemMetadata,
} from '../../registry/metadata.ts';
import { decodeBody } from '../decode-body.ts';
import { managerOfRequest, ownedResource, setEntries, trackOwners, withoutOwnersIfTooLarge } from '../field-owners.ts';
import { parseWriteOptions } from '../request-options.ts';
import { admissionAttributes, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { defaultedForStore } from '../resource-scope.ts';
import { respondStored } from '../respond.ts';

/** POST to a collection. */
export async function create(request: ResourceRequest): Promise<void> {
  const { context, scope, format, admission } = request;
  const store = storeOf(request);
  const { object, options } = await decodeBody(request, scope.resource, () =>
    parseWriteOptions(context.query, 'CreateOptions'),
  );
  wipeSystemMetadata(object.metadata);
  ensureNamespaceMatches(object.metadata, expectedNamespace(context.info.namespace, scope.resource.namespaced));
  warnOfDuplicateOwners(request, object, '');
  const manager = managerOfRequest(context, options.fieldManager);
  const stored = await inTurns(defaultedForStore(scope, object));
  await trackOwners(ownedResource(request), { live: undefined, updated: stored, manager });
  const attributes = admissionAttributes(request, {
    operation: 'CREATE',
    name: object.metadata.name ?? '',
    object: stored,
    oldObject: undefined,
    dryRun: options.dryRun,
  });
  await admission.mutate(attributes);
  warnOfDuplicateOwners(request, stored, ' after mutating admission happens');
  const created = await withoutOwnersIfTooLarge((tracking) => {
    if (!tracking) setEntries(stored, undefined);
    return createObject(store, stored, writeScope(request, options.dryRun), (candidate) =>
      admission.validate({ ...attributes, name: candidate.metadata.name ?? '', object: candidate }),
    );
  });
  await respondStored(context, scope, { code: 201, stored: created, format });
}

/** Drops repeated owner references and warns of them; `when` goes into the sentence. */
export function warnOfDuplicateOwners({ context }: ResourceRequest, object: KubernetesObject, when: string): void {
  const duplicates = dedupOwnerReferences(object);
  if (duplicates.length === 0) return;
  context.warnings.add(
    `.metadata.ownerReferences contains duplicate entries${when}; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ${duplicates.join(', ')}`,
  );
}
