import { secondsSince } from '../../api/time/seconds-since.ts';
import { type JsonSchema, schemaIn } from '../../schema/custom/json-schema.ts';
import { storedExpressionEnvironment } from '../environments/kubernetes.ts';
import { Pause } from '../program/pause.ts';
import type { DeclaredType } from '../schemas/declared-type.ts';
import { declaredTypeOf } from '../schemas/from-json-schema.ts';
import { readerOf } from '../schemas/readers.ts';
import { escapeName } from '../values/escaped-names.ts';
import type { RuleTimes } from './rule-times.ts';
import { type CompiledRule, type CompiledRules, compiledRules, type ValidationRule } from './compile-rule.ts';

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

  /**
   * Compiled when the first value occurs, with a pause after each rule. Undefined when values of the schema are not
   * accessible to CEL.
   */
  compiled(): CompiledRules | undefined | Pause<CompiledRules> {
    const { declared, schema } = this.#seen;
    if (this.#compiled !== undefined || declared === undefined) return this.#compiled;
    const rules = compiledRules(schema, { declared, environmentOf: storedExpressionEnvironment });
    return this.#compile({ rest: rules, done: [], startMs: performance.now() });
  }

  #compile(compilation: Compilation): CompiledRules | Pause<CompiledRules> {
    const { rest, done, startMs } = compilation;
    const next = rest.next();
    if (next.done !== true) {
      done.push(next.value);
      return new Pause(() => this.#compile(compilation));
    }
    const { schema, isResource } = this.#seen;
    this.#compiled = { rules: done, read: readerOf(schema, isResource), type: schema.type ?? '' };
    this.times.compiled(secondsSince(startMs));
    return this.#compiled;
  }
}

/** The compilation of the rules of one schema, of which there may be hundreds. */
interface Compilation {
  readonly rest: Iterator<CompiledRule>;
  readonly done: CompiledRule[];
  readonly startMs: number;
}

export interface RuleBranches {
  readonly items: RuleTree | undefined;
  readonly values: RuleTree | undefined;
  readonly properties: ReadonlyMap<string, RuleTree>;
}

/** The rules of a structural schema; undefined when it has none. The root of a resource has kind and metadata. */
export function ruleTree(schema: JsonSchema, isResource: boolean, times: RuleTimes): RuleTree | undefined {
  return treeOf({ schema, isResource, declared: declaredTypeOf(schema, isResource), times });
}

function treeOf(seen: SeenSchema): RuleTree | undefined {
  const { schema, declared, times } = seen;
  const branches: RuleBranches = {
    items: branchOf(schemaIn(schema.items), declared?.element, times),
    values: branchOf(schemaIn(schema.additionalProperties), declared?.element, times),
    properties: propertiesOf(seen),
  };
  const { items, values, properties } = branches;
  const rules = schema['x-kubernetes-validations'] ?? [];
  const isEmpty = rules.length === 0 && items === undefined && values === undefined && properties.size === 0;
  return isEmpty ? undefined : new RuleTree(seen, branches);
}

function branchOf(
  schema: JsonSchema | undefined,
  declared: DeclaredType | undefined,
  times: RuleTimes,
): RuleTree | undefined {
  if (schema === undefined) return undefined;
  return treeOf({ schema, isResource: isEmbedded(schema), declared, times });
}

/** Properties accessible to CEL, including those whose names can only be reached by `self` of their own. */
function propertiesOf({ schema, declared, times }: SeenSchema): ReadonlyMap<string, RuleTree> {
  const trees = new Map<string, RuleTree>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeName(name);
    const type =
      escaped === undefined ? declaredTypeOf(property, isEmbedded(property)) : declared?.fields?.get(escaped);
    if (type === undefined) continue;
    const tree = branchOf(property, type, times);
    if (tree !== undefined) trees.set(name, tree);
  }
  return trees;
}

function isEmbedded(schema: JsonSchema): boolean {
  return schema['x-kubernetes-embedded-resource'] === true;
}
