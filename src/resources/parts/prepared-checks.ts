import type { StrategyOf } from '../define-kind.ts';

type Hooks<T> = Pick<StrategyOf<T>, 'beginCreate' | 'beginUpdate'>;

/** Checks whose code is loaded only for objects that need them, before they are validated. */
export class PreparedChecks<Checks> {
  readonly #prepared = new WeakMap<object, Checks>();

  /** What loads them; `old` is undefined for a new object. */
  hooks<T extends object>(load: () => Promise<Checks>, isNeeded: (object: T, old?: Readonly<T>) => boolean): Hooks<T> {
    const begin = async (object: T): Promise<undefined> => {
      this.#prepared.set(object, await load());
    };
    return {
      beginCreate: (object) => (isNeeded(object) ? begin(object) : undefined),
      beginUpdate: (object, old) => (isNeeded(object, old) ? begin(object) : undefined),
    };
  }

  /** The checks of an object that needs them. */
  of(object: object): Checks {
    const checks = this.#prepared.get(object);
    if (checks === undefined) throw new Error('the checks of an object are not loaded');
    return checks;
  }
}
