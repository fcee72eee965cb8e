import { selectsField } from '../syntax/selected-fields.ts';
import type { CheckedExpr } from '../check/checked.ts';
import { estimateCost } from '../cost/estimate-cost.ts';
import type { DeclaredSize } from '../cost/estimated-node.ts';
import type { Estimate } from '../cost/estimates.ts';
import { type PlanEnvironment, plan } from '../program/planner.ts';
import { Program } from '../program/program.ts';
import type { CelType } from '../types/cel-type.ts';

/** A type-checked expression. */
export class Expression {
  readonly #checked: CheckedExpr;
  readonly #environment: PlanEnvironment;

  constructor(checked: CheckedExpr, environment: PlanEnvironment) {
    this.#checked = checked;
    this.#environment = environment;
  }

  get type(): CelType {
    return this.#checked.type;
  }

  /** Whether the variable is referenced. */
  uses(variable: string): boolean {
    for (const name of this.#checked.names()) if (name === variable) return true;
    return false;
  }

  /** Whether a field of a variable is accessed: `variable.field`, `variable.?field` or `has(variable.field)`. */
  selects(variable: string, field: string): boolean {
    return selectsField(this.#checked.root, variable, field);
  }

  estimate(declaredSize: DeclaredSize): Estimate {
    return estimateCost(this.#checked, declaredSize);
  }

  /** Throws CelProgramError. */
  program(): Program {
    return new Program(plan(this.#checked, this.#environment));
  }
}
