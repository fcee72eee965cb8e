import { currentSpan } from '../../api/contracts/span.ts';
import { patch as patchOperation } from '../../operations/patch.ts';
import { type PatchFormat, readPatch } from '../../patch/apply-patch.ts';
import type { UpdateResult } from '../../registry/write/update.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { readInput } from '../request/read-input.ts';
import { parseWriteOptions } from '../request/request-options.ts';
import { bodyFormatOf, nameOf, operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { auditPatch } from '../request/audited-body.ts';
import { respondWritten } from '../responses/respond.ts';

/** PATCH of one object, or of a subresource of the object's own kind. */
export async function patch(request: ResourceRequest): Promise<void> {
  const { context, scope, format } = request;
  storeOf(request);
  const patchFormat = bodyFormatOf(request);
  const name = nameOf(request);
  const result = patchFormat === 'apply' ? applied(request, name) : patched(request, name, patchFormat);
  const { stored, created } = await result;
  context.step('Object stored in database');
  currentSpan()?.event('Object stored in database');
  await respondWritten(context, scope, { code: created ? 201 : 200, stored, format });
}

async function patched(request: ResourceRequest, name: string, format: PatchFormat): Promise<UpdateResult> {
  const { context } = request;
  const bytes = await context.readBody();
  const { dryRun, fieldManager, fieldValidation } = parseWriteOptions(context.query, 'PatchOptions');
  const source = readInput(() => readPatch(bytes));
  auditPatch(context, source.value);
  currentSpan()?.event('Recorded the audit event');
  const manager = managerOfRequest(context, fieldManager);
  return patchOperation(operationOf(request), name, { format, source, fieldValidation }, { dryRun, manager });
}

/** Imported lazily on the first apply, and cached: repeating the import takes longer than most of an apply. */
function loadApply() {
  return Promise.all([import('../request/configuration.ts'), import('../../operations/apply.ts')]);
}

let applyLoaded: ReturnType<typeof loadApply> | undefined;

async function applied(request: ResourceRequest, name: string): Promise<UpdateResult> {
  const { context } = request;
  const bytes = await context.readBody();
  const { fieldManager, force = false, ...options } = parseWriteOptions(context.query, 'PatchOptions', true);
  const [{ readConfiguration }, { apply }] = await (applyLoaded ??= loadApply());
  const configuration = readConfiguration(context, bytes);
  auditPatch(context, configuration.patch);
  currentSpan()?.event('Recorded the audit event');
  return apply(operationOf(request), name, configuration, { ...options, force, manager: fieldManager });
}
