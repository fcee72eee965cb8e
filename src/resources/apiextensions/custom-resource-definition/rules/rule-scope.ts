import type { DeclaredType } from '../../../../cel/schemas/declared-type.ts';
import { declaredTypeOf } from '../../../../cel/schemas/from-json-schema.ts';
import { escapeName } from '../../../../cel/values/escaped-names.ts';
import type { JsonSchema } from '../../../../schema/custom/json-schema.ts';
import { atMost, times } from './costs.ts';

/** Derives the type of a part from the type of the whole. */
type TypeOfPart = (whole: DeclaredType) => DeclaredType | undefined;

const mapTypes = ['granular', 'atomic'];

const elementOf: TypeOfPart = ({ element }) => element;

/** A part of a schema: the type that rules see there, and how many values of it there can be. */
export class RuleScope {
  readonly schema: JsonSchema;
  /** Undefined below unbounded lists and maps. */
  readonly cardinality: bigint | undefined;
  /** The first enclosing list whose items cannot be correlated with their old values. */
  readonly uncorrelatable: string | undefined;
  readonly #parent: RuleScope | undefined;
  readonly #typeOfPart: TypeOfPart;
  /** Whether there are rules here or above. */
  readonly #isRuled: boolean;
  #type: { readonly declared: DeclaredType | undefined } | undefined;

  private constructor(schema: JsonSchema, from: Origin) {
    this.schema = schema;
    this.cardinality = from.cardinality;
    this.uncorrelatable = from.uncorrelatable;
    this.#parent = from.parent;
    this.#typeOfPart = from.typeOfPart;
    this.#isRuled =
      (from.parent !== undefined && from.parent.#isRuled) || (schema['x-kubernetes-validations'] ?? []).length > 0;
  }

  static ofRoot(schema: JsonSchema): RuleScope {
    return new RuleScope(schema, {
      cardinality: 1n,
      uncorrelatable: undefined,
      parent: undefined,
      typeOfPart: elementOf,
    });
  }

  /** `path` is the object's. */
  property(name: string, schema: JsonSchema, path: string): RuleScope {
    const isKnown = mapTypes.includes(this.schema['x-kubernetes-map-type'] ?? 'granular');
    const escaped = escapeName(name);
    const typeOfPart: TypeOfPart = ({ fields }) => (escaped === undefined ? undefined : fields?.get(escaped));
    return this.#part(schema, typeOfPart, isKnown ? undefined : path);
  }

  values(schema: JsonSchema): RuleScope {
    return this.#part(schema, elementOf);
  }

  /** `path` is the list's. */
  items(schema: JsonSchema, path: string): RuleScope {
    const isKeyed = this.schema['x-kubernetes-list-type'] === 'map';
    return this.#part(schema, elementOf, isKeyed ? undefined : path);
  }

  #part(schema: JsonSchema, typeOfPart: TypeOfPart, uncorrelatable?: string): RuleScope {
    return new RuleScope(schema, {
      parent: this,
      typeOfPart,
      cardinality: times(this.cardinality, maxElements(this.schema)),
      uncorrelatable: this.uncorrelatable ?? uncorrelatable,
    });
  }

  /** Undefined if CEL cannot represent values of the schema. Call only where there are rules, here or above. */
  declared(): DeclaredType | undefined {
    this.#type ??= { declared: this.#declaring() };
    return this.#type.declared;
  }

  /** Derived from the parent's type, or else from the schema itself. */
  #declaring(): DeclaredType | undefined {
    const parent = this.#parent;
    if (parent !== undefined && parent.#isRuled) {
      const whole = parent.declared();
      if (whole === undefined) return undefined;
      const part = this.#typeOfPart(whole);
      if (part !== undefined) return part;
    }
    const isResource = parent === undefined || this.schema['x-kubernetes-embedded-resource'] === true;
    return declaredTypeOf(this.schema, isResource);
  }
}

interface Origin extends Pick<RuleScope, 'cardinality' | 'uncorrelatable'> {
  readonly parent: RuleScope | undefined;
  readonly typeOfPart: TypeOfPart;
}

/** Maximum number of elements in a value; undefined if unlimited. */
function maxElements({ type, additionalProperties, maxProperties, maxItems }: JsonSchema): bigint | undefined {
  if (type === 'array') return atMost(maxItems);
  return type === 'object' && additionalProperties !== undefined ? atMost(maxProperties) : 1n;
}
