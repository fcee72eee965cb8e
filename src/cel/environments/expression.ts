import { selectsField } from '../syntax/selected-fields.ts';
import type { CheckedExpr } from '../check/checked.ts';
import { estimateCost } from '../cost/estimate-cost.ts';
import type { DeclaredSize } from '../cost/estimated-node.ts';
import type { Estimate } from '../cost/estimates.ts';
import { plan, type PlanEnvironment } from '../program/planner.ts';
import { Program } from '../program/program.ts';
import type { CelType } from '../types/cel-type.ts';

/** An expression that has been checked. */
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

  /** Whether a variable of that name occurs. */
  uses(variable: string): boolean {
    for (const name of this.#checked.names()) if (name === variable) return true;
    return false;
  }

  /** Whether a field of a variable is looked at: `variable.field`, or `variable.?field`; asking whether it is there counts. */
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
