import { type FieldError, forbiddenField, invalidField, tooLongField } from '../../api/errors/field-error.ts';
import { compileExpression, ExpressionError } from '../../cel/compile-expression.ts';
import { type DeviceEnvironment, deviceEnvironment, type DeviceFeatures } from '../../cel/environments/device.ts';
import { semverType } from '../../cel/libraries/versions.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { type CelType, declaredText, elementOf, isDyn, isSameType, types } from '../../cel/types/cel-type.ts';

export { prepareExpressions } from '../../cel/environments/kubernetes.ts';

const maxExpressionBytes = 10 * 1024;
const scalars: readonly CelType[] = [types.bool, types.int, types.string, semverType];

/** Compiles expressions about devices. */
export class DeviceExpressionChecks {
  readonly #lists: boolean;
  readonly #environment: DeviceEnvironment;

  /** `minor`: the release that must still understand new expressions. */
  constructor(minor: number, features: DeviceFeatures) {
    this.#lists = features.lists;
    this.#environment = deviceEnvironment(minor, features);
  }

  /** Checks an expression that selects devices. */
  *selector(text: string, path: string): Checking {
    const { attribute } = this.#environment;
    yield* this.#check(text, path, (type) => {
      if (isSameType(type, types.bool) || isSameType(type, attribute)) return undefined;
      return `must evaluate to bool or the unknown type, not ${declaredText(type)}`;
    });
  }

  /** Checks an expression for an attribute; returns its cost. */
  *derived(text: string, path: string): Checking<bigint> {
    const isScalar = (type: CelType): boolean => isDyn(type) || scalars.some((scalar) => isSameType(type, scalar));
    const expected = 'must evaluate to a primitive scalar (string, integer, boolean, semver)';
    const orList = this.#lists ? ' or a list of these scalars' : '';
    return yield* this.#check(text, path, (type) => {
      if (isScalar(type) || (this.#lists && type.kind === 'list' && isScalar(elementOf(type)))) return undefined;
      return `${expected}${orList}, not ${declaredText(type)}`;
    });
  }

  *#check(text: string, path: string, faultOf: (type: CelType) => string | undefined): Checking<bigint> {
    if (Buffer.byteLength(text) > maxExpressionBytes) {
      yield tooLongField(path, maxExpressionBytes);
      return 0n;
    }
    try {
      const cost = this.#cost(text, faultOf);
      if (cost > maxCallCost) yield forbiddenField(path, 'too complex, exceeds cost limit');
      return cost;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      yield error.isInternal
        ? { type: 'InternalError', field: path, detail: error.message }
        : invalidField(path, text, error.message);
      return 0n;
    }
  }

  #cost(text: string, faultOf: (type: CelType) => string | undefined): bigint {
    const { environment, declaredSize } = this.#environment;
    const { expression } = compileExpression(environment, text, (type) => {
      const fault = faultOf(type);
      return fault === undefined ? undefined : new ExpressionError(fault);
    });
    return expression.estimate(declaredSize).max;
  }
}

type Checking<Result = void> = Generator<FieldError, Result>;
