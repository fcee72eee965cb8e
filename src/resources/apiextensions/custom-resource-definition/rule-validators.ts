import { hasRules } from '../../../schema/custom/json-schema.ts';
import type { CustomResourceDefinition } from '../../../schema/kubernetes/generated/types/apiextensions-v1.ts';
import type { RuleValidator } from './rule-validator.ts';
import type * as Validator from './rules/expression-validator.ts';

// CEL rules. CEL is not loaded for definitions without rules.

let loaded: typeof Validator | undefined;

/** Validators of definitions that are being written; definitions without rules have none. */
const validators = new WeakMap<Readonly<CustomResourceDefinition>, RuleValidator | undefined>();

/** Await before validating a definition. */
export async function readyForRules(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  { minor, times }: Pick<Validator.ValidatedDefinition, 'minor' | 'times'>,
): Promise<void> {
  validators.set(definition, undefined);
  if (!isRuled(definition)) return;
  loaded ??= await import('./rules/expression-validator.ts');
  validators.set(definition, await loaded.ruleValidatorFor({ definition, old, minor, times }));
}

/** Undefined for definitions without rules. */
export function ruleValidatorOf(definition: CustomResourceDefinition): RuleValidator | undefined {
  if (!validators.has(definition)) throw new Error('a definition is validated before its rules can be read');
  return validators.get(definition);
}

function isRuled({ spec }: CustomResourceDefinition): boolean {
  for (const { schema } of spec?.versions ?? []) {
    if (schema?.openAPIV3Schema !== undefined && hasRules(schema.openAPIV3Schema)) return true;
  }
  return false;
}
