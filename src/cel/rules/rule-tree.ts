import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';
import { storedExpressionEnvironment } from '../environments/kubernetes.ts';
import { declaredTypeOf } from '../schemas/from-json-schema.ts';
import { type CompiledRules, compilingRules, type ValidationRule } from './compile-rule.ts';

/** The rules of a schema and of what is below it. Branches without rules are not there. */
export class RuleTree {
  readonly schema: JsonSchema;
  readonly rules: readonly ValidationRule[];
  readonly branches: RuleBranches;
  readonly #isResource: boolean;
  #compiled: { readonly rules: CompiledRules | undefined } | undefined;

  constructor({ schema, isResource }: { schema: JsonSchema; isResource: boolean }, branches: RuleBranches) {
    this.schema = schema;
    this.rules = schema['x-kubernetes-validations'] ?? [];
    this.branches = branches;
    this.#isResource = isResource;
  }

  /** Rules are compiled when a value is there for the first time. Undefined when expressions cannot see values of the schema. */
  *compiled(): Generator<undefined, CompiledRules | undefined> {
    if (this.#compiled === undefined) {
      const options = { isResource: this.#isResource, environmentOf: storedExpressionEnvironment };
      this.#compiled = { rules: yield* compilingRules(this.schema, this.rules, options) };
    }
    return this.#compiled.rules;
  }
}

export interface RuleBranches {
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
}

/** The rules of a structural schema; undefined when it has none. The root has a kind and metadata when it is a resource. */
export function* ruleTree(schema: JsonSchema, isResource: boolean): Generator<undefined, RuleTree | undefined> {
  yield;
  const branches: RuleBranches = {
    items: yield* branchOf(schemaIn(schema.items)),
    values: yield* branchOf(schemaIn(schema.additionalProperties)),
    properties: yield* propertiesOf(schema),
  };
  const { items, values, properties } = branches;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isEmpty = rules.length === 0 && items === undefined && values === undefined && properties.size === 0;
  return isEmpty ? undefined : new RuleTree({ schema, isResource }, branches);
}

function* branchOf(schema: JsonSchema | undefined): Generator<undefined, RuleTree | undefined> {
  return schema && (yield* ruleTree(schema, schema['x-kubernetes-embedded-resource'] === true));
}

/** Of properties that expressions can see. */
function* propertiesOf({ properties = {} }: JsonSchema): Generator<undefined, ReadonlyMap<string, RuleTree>> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(properties)) {
    const tree = yield* branchOf(property);
    if (tree !== undefined && declaredTypeOf(property, false) !== undefined) trees.set(name, tree);
  }
  return trees;
}
