import type { KubernetesObject } from '../../api/meta/object.ts';
import type { ExpectedKind } from '../../codec/decode-body.ts';
import type { ServedKind } from '../../operations/resource-scope.ts';
import { applyScale, patchScaleOf, scaleKind, scaleOfStored, updateScaleOf } from '../../operations/scale.ts';
import { readPatch } from '../../patch/apply-patch.ts';
import { readObject } from '../../registry/read/read.ts';
import { decodeRequest } from '../request/decode-body.ts';
import { managerOfRequest } from '../request/manager-name.ts';
import { readInput } from '../request/read-input.ts';
import { parseGetOptions, parseWriteOptions } from '../request/request-options.ts';
import { bodyFormatOf, nameOf, operationOf, type ResourceRequest, storeOf } from '../request/resource-request.ts';
import { auditPatch } from '../request/audited-body.ts';
import { respondObject } from '../responses/respond.ts';

/** GET of a scale. */
export async function getScale(request: ResourceRequest): Promise<void> {
  const { context, scope } = request;
  const { resourceVersion } = parseGetOptions(context.query);
  const stored = await readObject(storeOf(request), {
    namespace: context.info.namespace,
    name: nameOf(request),
    resource: scope.groupResource,
    resourceVersion,
    deadlineMs: context.deadlineMs,
  });
  await respondScale(request, await scaleOfStored(operationOf(request), stored));
}

/** PUT of a scale. */
export async function updateScale(request: ResourceRequest): Promise<void> {
  const operation = operationOf(request);
  const name = nameOf(request);
  const { object, options } = await decodeRequest(request, writtenScale(request, scaleKind(operation)), () =>
    parseWriteOptions(request.context.query, 'UpdateOptions'),
  );
  const { dryRun, fieldManager } = options;
  const write = { dryRun, manager: managerOfRequest(request.context, fieldManager) };
  await respondScale(request, await updateScaleOf(operation, name, object, write));
}

/** The reference's server of custom resources knows no version of Scale in which it could report an error. */
function writtenScale({ scope }: ResourceRequest, kind: ServedKind): ServedKind & ExpectedKind {
  const refusal = 'no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:111"';
  return scope.isUnstructured ? { ...kind, refusal } : kind;
}

/** PATCH of a scale. */
export async function patchScale(request: ResourceRequest): Promise<void> {
  const { context } = request;
  const format = bodyFormatOf(request);
  const name = nameOf(request);
  const bytes = await context.readBody();
  const {
    fieldManager,
    force = false,
    ...options
  } = parseWriteOptions(context.query, 'PatchOptions', format === 'apply');
  const operation = operationOf(request);
  if (format === 'apply') {
    const { readConfiguration } = await import('../request/configuration.ts');
    const configuration = readConfiguration(context, bytes);
    auditPatch(context, configuration.patch);
    await respondScale(
      request,
      await applyScale(operation, name, configuration, { ...options, force, manager: fieldManager }),
    );
    return;
  }
  const { dryRun, fieldValidation } = options;
  const patch = { format, fieldValidation, source: readInput(() => readPatch(bytes)) };
  auditPatch(context, patch.source.value);
  const write = { dryRun, manager: managerOfRequest(context, fieldManager) };
  await respondScale(request, await patchScaleOf(operation, name, patch, write));
}

function respondScale(request: ResourceRequest, object: KubernetesObject): Promise<void> {
  const { context, scope, format } = request;
  return respondObject(context, scope, { code: 200, object, format, served: scaleKind(operationOf(request)) });
}
