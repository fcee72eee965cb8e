import type { AdmissionAttributes } from '../../api/contracts/admission.ts';
import { formatGroupVersionKind, type GroupVersionKind } from '../../api/meta/group-version.ts';
import type { JsonObject } from '../../api/json/json.ts';
import { matchesLabels } from '../../api/selectors/label-selector.ts';
import type { KubernetesObject } from '../../api/meta/object.ts';
import type { Soon } from '../../api/scheduling/soon.ts';
import type { StoredObjects } from '../../api/contracts/stored-objects.ts';
import { TimeSlice } from '../../api/scheduling/time-slice.ts';
import { namespaceOf } from '../matching/request.ts';
import type { PluginContext } from '../plugin-context.ts';
import type { ParamReference } from './policy.ts';
import type { WireValues } from './wire-values.ts';

/** A policy or binding that cannot be applied to a write; the message is part of the error that clients see. */
export class PolicyConfigurationError extends Error {
  override readonly name = 'PolicyConfigurationError';
  readonly code = 'POLICY_CONFIGURATION';
}

/** The parameters of one evaluation: an object, or null. */
export type Params = JsonObject | null;

const none: readonly Params[] = [null];

type ServedResource = NonNullable<ReturnType<PluginContext['resourceOfKind']>>;

/** Finds the parameters of policies, of any kind. */
export class ParamSource {
  readonly #stored: StoredObjects;
  readonly #values: WireValues;
  readonly #resourceOfKind: PluginContext['resourceOfKind'];
  /** Kinds that have been served; if no longer served, they have no objects. */
  readonly #known = new Map<string, ServedResource>();

  constructor({ stored, resourceOfKind }: Pick<PluginContext, 'stored' | 'resourceOfKind'>, values: WireValues) {
    this.#stored = stored;
    this.#values = values;
    this.#resourceOfKind = resourceOfKind;
  }

  /** What serves a kind of parameters. Throws a PolicyConfigurationError for a kind that has never been served. */
  resourceOf(kind: GroupVersionKind): ServedResource {
    const text = formatGroupVersionKind(kind);
    const resource = this.#resourceOfKind(kind) ?? this.#known.get(text);
    if (resource === undefined) {
      throw new PolicyConfigurationError(`failed to find resource referenced by paramKind: '${text}'`);
    }
    this.#known.set(text, resource);
    return resource;
  }

  /** One evaluation each; none when parameters that are missing are allowed to. Throws a PolicyConfigurationError. */
  paramsOf(
    kind: GroupVersionKind | undefined,
    reference: ParamReference | undefined,
    attributes: AdmissionAttributes,
  ): Soon<readonly Params[]> {
    return kind === undefined || reference === undefined ? none : this.#paramsOf(kind, reference, attributes);
  }

  async #paramsOf(
    kind: GroupVersionKind,
    reference: ParamReference,
    attributes: AdmissionAttributes,
  ): Promise<readonly Params[]> {
    const resource = this.resourceOf(kind);
    const found = await this.#find(resource, reference, namespaceFor(resource, reference, attributes));
    if (found.length === 0 && reference.deniesWhenMissing) {
      throw new PolicyConfigurationError('no params found for policy binding with `Deny` parameterNotFoundAction');
    }
    const params: Params[] = [];
    const timeSlice = new TimeSlice();
    for (const object of found) {
      // oxlint-disable-next-line no-await-in-loop -- there may be thousands
      if (timeSlice.isOver) await timeSlice.next();
      const value = this.#values.of(object, kind);
      // oxlint-disable-next-line no-await-in-loop -- in order
      params.push(await value);
    }
    return params;
  }

  async #find(
    resource: ServedResource,
    { name, selector }: ParamReference,
    namespace: string,
  ): Promise<readonly Readonly<KubernetesObject>[]> {
    if (name === '') {
      const all = await this.#stored.list(resource, namespace);
      return all.filter(({ metadata }) => matchesLabels(selector ?? [], metadata.labels ?? {}));
    }
    const object = await this.#stored.get(resource, { namespace, name });
    return object === undefined ? [] : [object];
  }
}

function namespaceFor(
  { namespaced }: ServedResource,
  reference: ParamReference,
  attributes: AdmissionAttributes,
): string {
  if (!namespaced) {
    if (reference.namespace === '') return '';
    throw new PolicyConfigurationError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  }
  const namespace = reference.namespace || namespaceOf(attributes);
  if (namespace !== '') return namespace;
  const why = 'cannot use namespaced paramRef in policy binding that matches cluster-scoped resources';
  throw new PolicyConfigurationError(why);
}
