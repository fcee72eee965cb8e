import { hasRules } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { RuleJudge } from './rule-judge.ts';

// CEL rules. CEL is not loaded for definitions without rules.

/** For definitions being written; undefined for those without rules. */
const judges = new WeakMap<Readonly<CustomResourceDefinition>, RuleJudge | undefined>();

/** Await before validating a definition. */
export async function readyForRules(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  minor: number,
): Promise<void> {
  judges.set(definition, undefined);
  if (!isRuled(definition)) return;
  const { judgeOfRules } = await import('./rules/judge.ts');
  judges.set(definition, await judgeOfRules({ definition, old, minor }));
}

/** Undefined for definitions without rules. */
export function judgeOf(definition: CustomResourceDefinition): RuleJudge | undefined {
  if (!judges.has(definition)) throw new Error('a definition is judged before its rules can be read');
  return judges.get(definition);
}

function isRuled({ spec }: CustomResourceDefinition): boolean {
  const { versions = [] } = spec ?? {};
  return versions.some(({ schema }) => schema?.openAPIV3Schema !== undefined && hasRules(schema.openAPIV3Schema));
}
