import type { AdmissionAttributes, ServedVersion } from '../../api/admission.ts';
import type { JsonObject, JsonValue } from '../../api/json.ts';
import { once } from '../../api/kept-by.ts';
import { authorizerTypes, type AuthorizerValue, CheckValue } from '../../cel/libraries/authorizer.ts';
import type { Bindings } from '../../cel/program/program.ts';
import { fromJson } from '../../cel/values/value.ts';
import { requestOf } from '../matching/request.ts';
import type { WrittenVersion } from '../matching/written-versions.ts';
import { type Compiled, LazyVariables } from './variables.ts';

/** The inputs of admission expressions. */
export interface ExpressionInput {
  readonly attributes: AdmissionAttributes;
  readonly objects: Pick<WrittenVersion, 'object' | 'oldObject'>;
  /** The requested version, for `request`. */
  readonly version: ServedVersion;
  /** Absent: there is no variable `authorizer`. */
  readonly authorizer?: AuthorizerValue;
  readonly namespaceObject: JsonObject | null;
  readonly params?: JsonValue;
  readonly variables?: ReadonlyMap<string, Compiled>;
}

export interface ExpressionBindings {
  readonly bindings: Bindings;
  /** The cost of the policy's variables since the last call. */
  takeVariableCost(): number;
}

/** The variables of expressions, created on access. */
export function expressionBindings(input: ExpressionInput): ExpressionBindings {
  const { attributes, objects, version, authorizer, namespaceObject, params, variables } = input;
  const request = once(() => {
    const { dryRun, options } = attributes;
    return fromJson({ ...requestOf(version, attributes), dryRun, options });
  });
  const bindings: Bindings = {
    get object() {
      return fromJson(objects.object);
    },
    get oldObject() {
      return fromJson(objects.oldObject);
    },
    get request() {
      return request();
    },
    namespaceObject,
    params: fromJson(params),
    authorizer,
    get ['authorizer.requestResource']() {
      return authorizer === undefined ? undefined : requestResource(authorizer, attributes);
    },
    get variables() {
      return lazyVariables;
    },
  };
  const lazyVariables = variables === undefined ? undefined : new LazyVariables(variables, bindings);
  return { bindings, takeVariableCost: () => lazyVariables?.takeCost() ?? 0 };
}

function requestResource(
  authorizer: AuthorizerValue,
  { group, resource, subresource, namespace, name }: AdmissionAttributes,
): CheckValue {
  return new CheckValue(authorizerTypes.resourceCheck, authorizer, { group, resource, subresource, namespace, name });
}
