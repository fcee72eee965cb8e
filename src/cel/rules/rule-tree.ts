import { hasRules, type JsonSchema, propertyOf, schemaIn } from '../../schema/custom/json-schema.ts';
import { storedExpressionEnvironment } from '../environments/kubernetes.ts';
import { declaredTypeOf } from '../schemas/from-json-schema.ts';
import { type CompiledRules, compilingRules, type ValidationRule } from './compile-rule.ts';

/** The rules of a schema and of what is below it. Branches without rules are not there. */
export class RuleTree {
  /** What expressions see values by. */
  readonly schema: JsonSchema;
  readonly rules: readonly ValidationRule[];
  readonly branches: RuleBranches;
  readonly #isResource: boolean;
  #compiled: { readonly rules: CompiledRules | undefined } | undefined;

  constructor({ schema, isResource }: Seen, rules: readonly ValidationRule[], branches: RuleBranches) {
    this.schema = schema;
    this.rules = rules;
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
  /** Rules about the same value. */
  readonly allOf: readonly RuleTree[];
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
}

/** A schema that expressions see values by. */
interface Seen {
  readonly schema: JsonSchema;
  readonly isResource: boolean;
}

/** The rules of a structural schema; undefined when it has none. The root has a kind and metadata when it is a resource. */
export function* ruleTree(schema: JsonSchema, isResource: boolean): Generator<undefined, RuleTree | undefined> {
  return hasRules(schema) ? yield* treeOf(schema, { schema, isResource }) : undefined;
}

/** The rules that `validation` has for values which are seen by another schema, that which `allOf` stands in, or by itself. */
function* treeOf(validation: JsonSchema, seen: Seen): Generator<undefined, RuleTree | undefined> {
  yield;
  const branches: RuleBranches = {
    items: yield* branchOf(schemaIn(validation.items), schemaIn(seen.schema.items)),
    values: yield* branchOf(schemaIn(validation.additionalProperties), schemaIn(seen.schema.additionalProperties)),
    properties: yield* propertiesOf(validation, seen.schema),
    allOf: yield* partsOf(validation, seen),
  };
  const rules = validation['x-kubernetes-validations'] ?? [];
  const { items, values, properties, allOf } = branches;
  const hasBranches = items !== undefined || values !== undefined || properties.size > 0 || allOf.length > 0;
  return rules.length > 0 || hasBranches ? new RuleTree(seen, rules, branches) : undefined;
}

function* branchOf(
  validation: JsonSchema | undefined,
  schema: JsonSchema | undefined,
): Generator<undefined, RuleTree | undefined> {
  if (validation === undefined || schema === undefined) return undefined;
  return yield* treeOf(validation, { schema, isResource: schema['x-kubernetes-embedded-resource'] === true });
}

/** Of properties that expressions can see. */
function* propertiesOf(
  { properties = {} }: JsonSchema,
  seen: JsonSchema,
): Generator<undefined, ReadonlyMap<string, RuleTree>> {
  const trees = new Map<string, RuleTree>();
  for (const [name, validation] of Object.entries(properties)) {
    const tree = yield* branchOf(validation, propertyOf(seen, name));
    if (tree !== undefined && declaredTypeOf(tree.schema, false) !== undefined) trees.set(name, tree);
  }
  return trees;
}

function* partsOf({ allOf = [] }: JsonSchema, seen: Seen): Generator<undefined, readonly RuleTree[]> {
  const trees: RuleTree[] = [];
  for (const part of allOf) {
    const tree = yield* treeOf(part, seen);
    if (tree !== undefined) trees.push(tree);
  }
  return trees;
}
