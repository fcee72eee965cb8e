import type { AdmissionAttributes, ServedVersion, VersionedValues } from '../../api/contracts/admission.ts';
import type { JsonObject, JsonValue } from '../../api/json/json.ts';
import type { Compiled } from '../../cel/compile-all.ts';
import { authorizerTypes, type AuthorizerValue, CheckValue } from '../../cel/libraries/authorizer.ts';
import type { Bindings } from '../../cel/program/program.ts';
import { fromJson, type Value } from '../../cel/values/value.ts';
import { requestOf } from '../matching/request.ts';
import { LazyVariables } from './variables.ts';

/** The inputs of admission expressions. */
export interface ExpressionInput {
  readonly attributes: AdmissionAttributes;
  readonly objects: VersionedValues;
  /** The requested version, for `request`. */
  readonly version: ServedVersion;
  /** Absent: there is no variable `authorizer`. */
  readonly authorizer?: AuthorizerValue | undefined;
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
  return new InputExpressions(input);
}

class InputExpressions implements ExpressionBindings {
  readonly bindings: InputBindings;

  constructor(input: ExpressionInput) {
    this.bindings = new InputBindings(input);
  }

  takeVariableCost(): number {
    return InputBindings.takeVariableCost(this.bindings);
  }
}

/** What the request does not say to expressions, although it has the fields. */
const withoutObjects = { uid: '', object: null, oldObject: null };

/** A class, as a literal would define its accessors anew for each evaluation. */
class InputBindings implements Bindings {
  readonly [name: string]: Value | undefined;
  readonly namespaceObject: Value;
  readonly params: Value;
  readonly authorizer: AuthorizerValue | undefined;
  readonly #input: ExpressionInput;
  #variables: LazyVariables | undefined;
  #request: Value | undefined;

  constructor(input: ExpressionInput) {
    const { authorizer, namespaceObject, params } = input;
    this.namespaceObject = namespaceObject;
    this.params = fromJson(params);
    this.authorizer = authorizer;
    this.#input = input;
  }

  /** Static, because members are variables of expressions. */
  static takeVariableCost(bindings: InputBindings): number {
    return bindings.#variables?.takeCost() ?? 0;
  }

  get variables(): LazyVariables | undefined {
    const { variables } = this.#input;
    if (variables !== undefined) this.#variables ??= new LazyVariables(variables, this);
    return this.#variables;
  }

  get object(): Value {
    return fromJson(this.#input.objects.object);
  }

  get oldObject(): Value {
    return fromJson(this.#input.objects.oldObject);
  }

  get request(): Value {
    const { attributes, version } = this.#input;
    const { dryRun, options } = attributes;
    return (this.#request ??= fromJson({ ...withoutObjects, ...requestOf(version, attributes), dryRun, options }));
  }

  get ['authorizer.requestResource'](): CheckValue | undefined {
    return this.authorizer === undefined ? undefined : requestResource(this.authorizer, this.#input.attributes);
  }
}

function requestResource(
  authorizer: AuthorizerValue,
  { group, resource, subresource, namespace, name }: AdmissionAttributes,
): CheckValue {
  return new CheckValue(authorizerTypes.resourceCheck, authorizer, { group, resource, subresource, namespace, name });
}
