import type { JsonObject } from '../../api/json/json.ts';
import { matchesFields, parseFieldSelector } from '../../api/selectors/field-selector.ts';
import { matchesLabels, parseLabelSelector, SelectorSyntaxError } from '../../api/selectors/label-selector.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import { badRequest, notFound } from '../../api/errors/status-errors.ts';
import { parseListOptions } from '../request/request-options.ts';
import { refuseOtherFields } from '../request/selection.ts';
import type { ResourceRequest, VerbHandler } from '../request/resource-request.ts';
import { respondDocument, respondObject } from '../responses/respond.ts';

/** A control plane component with a health check. Rejects if unhealthy. */
export interface Component {
  readonly name: string;
  check(): Promise<void>;
}

/** Serves `componentstatuses`: the health of the control plane. */
export function componentStatuses(components: readonly Component[]): VerbHandler {
  return async (request) => {
    if (request.context.info.verb === 'list') await listStatuses(request, components);
    else await getStatus(request, components);
  };
}

async function getStatus({ context, scope, format }: ResourceRequest, components: readonly Component[]): Promise<void> {
  const { name } = context.info;
  const component = components.find((candidate) => candidate.name === name);
  if (component === undefined) throw notFound({ group: '', resource: 'componentstatus' }, name);
  await respondObject(context, scope, { code: 200, object: await statusOf(component), format, served: scope.resource });
}

async function listStatuses(request: ResourceRequest, components: readonly Component[]): Promise<void> {
  const { context, format } = request;
  const selects = selectorOf(request);
  const objects = await Promise.all(components.filter(({ name }) => selects(name)).map(statusOf));
  await respondDocument(context, 200, await format.form.whole(request, {}, objects), format);
}

/** ComponentStatuses have a name and no labels. */
function selectorOf({ context }: ResourceRequest): (name: string) => boolean {
  const { labelSelector, fieldSelector } = parseListOptions(context.query, { watchList: false, shardedLists: false });
  try {
    const labels = parseLabelSelector(labelSelector);
    const fields = parseFieldSelector(fieldSelector);
    refuseOtherFields(fields);
    return (name) =>
      matchesLabels(labels, {}) && matchesFields(fields, { 'metadata.name': name, 'metadata.namespace': '' });
  } catch (error) {
    throw error instanceof SelectorSyntaxError ? badRequest(error.message) : error;
  }
}

async function statusOf(component: Component): Promise<KubernetesObject> {
  const { name } = component;
  const message = await component.check().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  const condition: JsonObject = {
    type: 'Healthy',
    status: message === undefined ? 'True' : 'False',
    message: message ?? 'ok',
  };
  return { kind: 'ComponentStatus', apiVersion: 'v1', metadata: { name }, conditions: [condition] };
}
