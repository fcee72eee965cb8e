import type { CelType } from '../types/cel-type.ts';

/** Comprehension variables, innermost first. */
export class Scopes {
  readonly #scopes: ReadonlyMap<string, CelType>[] = [];
  #entered = false;

  /** Runs a check with additional variables. */
  within<T>(variables: ReadonlyMap<string, CelType>, check: () => T): T {
    this.#entered = true;
    this.#scopes.push(variables);
    const result = check();
    this.#scopes.pop();
    return result;
  }

  find(name: string): CelType | undefined {
    return this.#scopes.findLast((scope) => scope.has(name))?.get(name);
  }

  /** Whether there has been a comprehension: from then on the reference ignores which overloads are disabled. */
  get hasBeenEntered(): boolean {
    return this.#entered;
  }
}
