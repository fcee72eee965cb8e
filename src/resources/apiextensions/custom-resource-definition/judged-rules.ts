import { hasRules } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { RuleJudge } from './rule-judge.ts';

// Rules in the language of expressions. Definitions that have none do without the language.

const judges = new WeakMap<Readonly<CustomResourceDefinition>, RuleJudge>();

/** To be awaited before a definition is judged. */
export async function readyForRules(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  minor: number,
): Promise<void> {
  if (!isRuled(definition)) return;
  const { judgeOfRules } = await import('./rules/judge.ts');
  judges.set(definition, await judgeOfRules({ definition, old, minor }));
}

/** Undefined for definitions without rules. */
export function judgeOf(definition: CustomResourceDefinition): RuleJudge | undefined {
  const judge = judges.get(definition);
  if (judge === undefined && isRuled(definition)) throw new Error('rules are judged before they can be read');
  return judge;
}

function isRuled({ spec }: CustomResourceDefinition): boolean {
  const { versions = [] } = spec ?? {};
  return versions.some(({ schema }) => schema?.openAPIV3Schema !== undefined && hasRules(schema.openAPIV3Schema));
}
