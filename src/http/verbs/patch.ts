import type { JsonSource } from '../../api/json-tree.ts';
import { formatApiVersion } from '../../api/group-version.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { cloneObject, type KubernetesObject } from '../../api/object.ts';
import { inTurns } from '../../api/turns.ts';
import { StatusError } from '../../api/status.ts';
import { conflict, notFound } from '../../api/status-errors.ts';
import {
  applyPatch,
  type PatchedObject,
  type PatchFormat,
  patchFormats,
  type PatchRequest,
  readPatch,
} from '../../patch/apply-patch.ts';
import { parseJson } from '../../codec/json.ts';
import { encodeJson } from '../../schema/encode-json.ts';
import { writtenForm } from '../../schema/written-form.ts';
import { defaultedForStore, type ResourceScope } from '../resource-scope.ts';
import { ensureNamespaceMatches, expectedNamespace } from '../../registry/metadata.ts';
import { updateObject } from '../../registry/update.ts';
import {
  managedKindOf,
  managerOfRequest,
  ownedResource,
  setEntries,
  storedView,
  trackOwners,
  withoutOwnersIfTooLarge,
} from '../field-owners.ts';
import { withAllKinds } from '../known-kinds.ts';
import type { RequestContext } from '../request-context.ts';
import { readInTurns } from '../read-in-turns.ts';
import { receiveBody } from '../receive-body.ts';
import { parseWriteOptions, type WriteOptions } from '../request-options.ts';
import { nameOf, type ResourceRequest, storeOf, writeScope } from '../resource-request.ts';
import { respondStored } from '../respond.ts';
import { checkName, updateAdmission } from './update.ts';

/** PATCH of one object, or of a subresource that speaks the whole object. */
export async function patch(request: ResourceRequest): Promise<void> {
  const { context, scope, format, subresource } = request;
  const store = storeOf(request);
  const name = nameOf(request);
  const patchFormat = patchFormatOf(context);
  const bytes = await receiveBody(context);
  const options = parseWriteOptions(context.query, 'PatchOptions', patchFormat === 'apply');
  const result = await withAllKinds(request, async (known) => {
    const mechanism =
      patchFormat === 'apply'
        ? await applying(known, bytes, options)
        : patching(known, await readInTurns(readPatch(bytes)), { patchFormat, options, name });
    const make = async (old: Readonly<KubernetesObject> | undefined, tracking: boolean): Promise<KubernetesObject> => {
      const object = await mechanism(old);
      if (!tracking) setEntries(object, undefined);
      ensureNamespaceMatches(object.metadata, expectedNamespace(context.info.namespace, scope.resource.namespaced));
      checkName(object, name);
      return object;
    };
    const write = (tracking: boolean) =>
      updateObject(
        store,
        {
          name,
          subresource: subresource?.name ?? '',
          preconditions: {},
          forceCreate: patchFormat === 'apply',
          ...updateAdmission(known, { name, dryRun: options.dryRun }, (old) => make(old, tracking)),
        },
        writeScope(known, options.dryRun),
      );
    // An apply is about owners: without them it would be something else.
    return patchFormat === 'apply' ? write(true) : withoutOwnersIfTooLarge(write);
  });
  await respondStored(context, scope, { code: result.created ? 201 : 200, stored: result.stored, format });
}

/** What a Content-Type says of a patch; 415 when it is none. */
export function patchFormatOf({ exchange, mediaTypes }: RequestContext): PatchFormat | 'apply' {
  // Patches alone are chosen by the exact name.
  const mediaType = (exchange.header('content-type') ?? '').split(';', 1)[0] ?? '';
  if (mediaTypes.applies.includes(mediaType)) return 'apply';
  for (const [known, patchFormat] of Object.entries(patchFormats)) if (known === mediaType) return patchFormat;
  throw new StatusError({
    code: 415,
    reason: 'UnsupportedMediaType',
    message: '415: Unsupported Media Type',
    details: {},
  });
}

/** Makes an object of what is stored; both are in the stored version. */
type Mechanism = (old: Readonly<KubernetesObject> | undefined) => Promise<KubernetesObject>;

/** Server-side apply, which few requests need. */
async function applying(request: ResourceRequest, bytes: Uint8Array, options: WriteOptions): Promise<Mechanism> {
  const { applied, readConfiguration } = await import('./apply.ts');
  const { context, scope } = request;
  const configuration = await readConfiguration(context, bytes);
  const place = ownedResource(request);
  return async (old) => {
    const object = await applied(context, {
      managed: managedKindOf(place),
      live: storedView(place, old),
      served: scope.resource,
      configuration,
      options,
      unchanged: () => (old === undefined ? emptyObject(scope) : scope.fromStored(cloneObject(old))),
    });
    if (old === undefined && (object.metadata.uid ?? '') !== '') {
      const why = `uid mismatch: the provided object specified uid ${object.metadata.uid}, and no existing object was found`;
      throw conflict(scope.groupResource, nameOf(request), why);
    }
    return inTurns(defaultedForStore(scope, object));
  };
}

function emptyObject({ resource: { group, version, kind } }: ResourceScope): KubernetesObject {
  return { apiVersion: formatApiVersion(group, version), kind, metadata: {} };
}

/** All other patches, which are applied in the served version. */
function patching(
  request: ResourceRequest,
  source: JsonSource,
  {
    patchFormat,
    options,
    name,
  }: {
    readonly patchFormat: PatchFormat;
    readonly options: WriteOptions;
    readonly name: string;
  },
): Mechanism {
  const { context, scope, kinds } = request;
  const manager = managerOfRequest(context, options.fieldManager);
  const place = ownedResource(request);
  return async (old) => {
    if (old === undefined) throw notFound(scope.groupResource, name);
    const { object, warnings } = await patchServed(scope, old, {
      format: patchFormat,
      source,
      fieldValidation: options.fieldValidation,
      schema: scope.resource.schema,
      kinds: { expected: scope.resource, schemaOf: (kind) => kinds.schemaOf(kind) },
    });
    for (const text of warnings) context.warnings.add(text);
    // Decoded by the schema of the kind: metadata may be missing only if the patch removed it.
    const result = cloneObject({ metadata: {}, ...object } as unknown as KubernetesObject);
    const updated = await inTurns(defaultedForStore(scope, result));
    await trackOwners(place, { live: old, updated, manager });
    return updated;
  };
}

/** Patches what a client would read: zero values that are always written are in it. */
async function patchServed(
  scope: ResourceScope,
  old: Readonly<KubernetesObject>,
  patch: PatchRequest,
): Promise<PatchedObject> {
  const { schema } = scope.resource;
  // Objects are JSON-shaped.
  const served = (scope.servesStoredVersion ? old : scope.fromStored(cloneObject(old))) as unknown as JsonObject;
  try {
    return await inTurns(applyPatch(writtenForm(schema, served), patch));
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    // Some errors show the whole object, with its fields in the order of the wire.
    const { value } = parseJson(Buffer.from(encodeJson(schema, served)));
    if (!isJsonObject(value)) throw error;
    return inTurns(applyPatch(value, patch));
  }
}
