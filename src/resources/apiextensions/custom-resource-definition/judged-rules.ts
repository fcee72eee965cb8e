import { hasRules } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { RuleJudge } from './rule-judge.ts';
import type * as Judge from './rules/judge.ts';

// CEL rules. CEL is not loaded for definitions without rules.

let loaded: typeof Judge | undefined;

/** Validators of definitions that are being written; definitions without rules have none. */
const judges = new WeakMap<Readonly<CustomResourceDefinition>, RuleJudge | undefined>();

/** Await before validating a definition. */
export async function readyForRules(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { minor, times }: Pick<Judge.JudgedDefinition, 'minor' | 'times'>,
): Promise<void> {
  judges.set(definition, undefined);
  if (!isRuled(definition)) return;
  loaded ??= await import('./rules/judge.ts');
  judges.set(definition, await loaded.judgeOfRules({ definition, old, minor, times }));
}

/** Undefined for definitions without rules. */
export function judgeOf(definition: CustomResourceDefinition): RuleJudge | undefined {
  if (!judges.has(definition)) throw new Error('a definition is judged before its rules can be read');
  return judges.get(definition);
}

function isRuled({ spec }: CustomResourceDefinition): boolean {
  for (const { schema } of spec?.versions ?? []) {
    if (schema?.openAPIV3Schema !== undefined && hasRules(schema.openAPIV3Schema)) return true;
  }
  return false;
}
