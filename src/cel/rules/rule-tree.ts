import { secondsSince } from '../../api/seconds-since.ts';
import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';
import { storedExpressionEnvironment } from '../environments/kubernetes.ts';
import type { DeclaredType } from '../schemas/declared-type.ts';
import { declaringType } from '../schemas/from-json-schema.ts';
import { readerOf } from '../schemas/readers.ts';
import { escapeName } from '../values/escaped-names.ts';
import type { RuleTimes } from './rule-times.ts';
import { type CompiledRule, type CompiledRules, compilingRules, type ValidationRule } from './compile-rule.ts';

/** A part of a schema, as CEL sees it. */
interface SeenSchema {
  readonly schema: JsonSchema;
  /** The root of a resource or an embedded resource, which has kind and metadata. */
  readonly isResource: boolean;
  /** Undefined when values of the schema are not accessible to CEL. */
  readonly declared: DeclaredType | undefined;
  readonly times: RuleTimes;
}

/** The rules of a schema and its descendants. Branches without rules are pruned. */
export class RuleTree {
  readonly schema: JsonSchema;
  readonly rules: readonly ValidationRule[];
  readonly branches: RuleBranches;
  readonly times: RuleTimes;
  readonly #seen: SeenSchema;
  #compiled: CompiledRules | undefined;

  constructor(seen: SeenSchema, branches: RuleBranches) {
    this.schema = seen.schema;
    this.rules = seen.schema['x-kubernetes-validations'] ?? [];
    this.branches = branches;
    this.times = seen.times;
    this.#seen = seen;
  }

  /** Compiled when the first value occurs. Undefined when values of the schema are not accessible to CEL. */
  *compiled(): Generator<undefined, CompiledRules | undefined> {
    const { declared } = this.#seen;
    if (this.#compiled !== undefined || declared === undefined) return this.#compiled;
    const startMs = performance.now();
    this.#compiled = yield* this.#compiling(declared);
    this.times.compiled(secondsSince(startMs));
    return this.#compiled;
  }

  *#compiling(declared: DeclaredType): Generator<undefined, CompiledRules> {
    const { schema, isResource } = this.#seen;
    const rules: CompiledRule[] = [];
    for (const rule of compilingRules(schema, { declared, environmentOf: storedExpressionEnvironment })) {
      if (rule === undefined) yield;
      else rules.push(rule);
    }
    return { rules, read: readerOf(schema, isResource), type: schema.type ?? '' };
  }
}

export interface RuleBranches {
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
}

/** The rules of a structural schema; undefined when it has none. The root of a resource has kind and metadata. */
export function* ruleTree(
  schema: JsonSchema,
  isResource: boolean,
  times: RuleTimes,
): Generator<undefined, RuleTree | undefined> {
  return yield* treeOf({ schema, isResource, declared: yield* declaringType(schema, isResource), times });
}

function* treeOf(seen: SeenSchema): Generator<undefined, RuleTree | undefined> {
  yield;
  const { schema, declared, times } = seen;
  const branches: RuleBranches = {
    items: yield* branchOf(schemaIn(schema.items), declared?.element, times),
    values: yield* branchOf(schemaIn(schema.additionalProperties), declared?.element, times),
    properties: yield* propertiesOf(seen),
  };
  const { items, values, properties } = branches;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isEmpty = rules.length === 0 && items === undefined && values === undefined && properties.size === 0;
  return isEmpty ? undefined : new RuleTree(seen, branches);
}

function* branchOf(
  schema: JsonSchema | undefined,
  declared: DeclaredType | undefined,
  times: RuleTimes,
): Generator<undefined, RuleTree | undefined> {
  if (schema === undefined) return undefined;
  return yield* treeOf({ schema, isResource: isEmbedded(schema), declared, times });
}

/** Properties accessible to CEL, including those whose names can only be reached by `self` of their own. */
function* propertiesOf({ schema, declared, times }: SeenSchema): Generator<undefined, ReadonlyMap<string, RuleTree>> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(name);
    const type =
      escaped === undefined ? yield* declaringType(property, isEmbedded(property)) : declared?.fields?.get(escaped);
    if (type === undefined) continue;
    const tree = yield* branchOf(property, type, times);
    if (tree !== undefined) trees.set(name, tree);
  }
  return trees;
}

function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}
