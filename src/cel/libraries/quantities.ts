import {
  addQuantities,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  subtractQuantities,
} from '../../api/values/quantity.ts';
import { type CelType, structType, types } from '../types/cel-type.ts';
import { isInt64 } from '../values/int64.ts';
import { CelError, Double, type Int, LibraryValue, narrowed, type Value } from '../values/value.ts';
import { binary, declare, global, type Library, member, unary } from './define.ts';

const { bool, double, int, string } = types;
export const quantityType = structType('kubernetes.Quantity');

export class QuantityValue extends LibraryValue {
  readonly quantity: Quantity;
  /** Whether the reference represents it as a scaled int64; other quantities never count as integers there. */
  readonly isSmall: boolean;
  /** The result of an operation, which the reference compares to other quantities, but not others to it. */
  readonly isComputed: boolean;

  constructor(quantity: Quantity, isSmall: boolean, isComputed = true) {
    super();
    this.quantity = quantity;
    this.isSmall = isSmall;
    this.isComputed = isComputed;
  }

  static parse(text: string): QuantityValue {
    return new QuantityValue(parseQuantity(text), isSmallText(text), false);
  }

  get type(): CelType {
    return quantityType;
  }

  get text(): string {
    return formatQuantity(this.quantity);
  }

  get goType(): string {
    return this.isComputed ? '*cel.Quantity' : 'cel.Quantity';
  }

  protected isSame(other: Value): boolean | undefined {
    return other instanceof QuantityValue && !other.isComputed ? this.compare(other) === 0 : undefined;
  }

  compare(other: QuantityValue): number {
    return Math.sign(compareQuantities(this.quantity, other.quantity));
  }

  get asInteger(): Int | undefined {
    const { unscaled, exponent } = this.quantity;
    if (!this.isSmall || exponent < 0) return undefined;
    const value = unscaled * 10n ** BigInt(Math.min(exponent, 40));
    return isInt64(value) ? narrowed(value) : undefined;
  }

  get asDouble(): number {
    const { unscaled, exponent } = this.quantity;
    const places = exponent - nano;
    // Other quantities are represented in billionths.
    if (!this.isSmall && places <= maxPlaces)
      return Number(unscaled * 10n ** BigInt(Math.max(places, 0))) * goPowerOfTen(nano);
    return exponent === 0 ? Number(unscaled) : Number(unscaled) * goPowerOfTen(exponent);
  }

  plus(other: QuantityValue): QuantityValue {
    const quantity = addQuantities(this.quantity, other.quantity);
    return new QuantityValue(quantity, this.isSmall && other.isSmall && isInt64(quantity.unscaled));
  }

  minus(other: QuantityValue): QuantityValue {
    const { quantity } = other;
    // The smallest int64 is its own negative, as in the reference.
    if (this.isSmall && other.isSmall && quantity.unscaled === minInt64) {
      const sum = addQuantities(this.quantity, quantity);
      if (isInt64(sum.unscaled)) return new QuantityValue(sum, true);
    }
    const difference = subtractQuantities(this.quantity, quantity);
    return new QuantityValue(difference, this.isSmall && other.isSmall && isInt64(difference.unscaled));
  }
}

/** Go's `math.Pow10`: of two factors, so that most large powers are rounded twice. */
function goPowerOfTen(exponent: number): number {
  const size = Math.abs(exponent);
  const [large, small] = [size - (size % 32), size % 32];
  return exponent < 0 ? Number(`1e-${large}`) / Number(`1e${small}`) : Number(`1e${large}`) * Number(`1e${small}`);
}

const nano = -9;
const maxPlaces = 400;
const minInt64 = -(2n ** 63n);

const suffixShape = /^[+-]?([0-9]*)(?:\.([0-9]*))?(?:([a-zA-Z]+)([+-]?[0-9]*))?$/;
const binaryExponents = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalExponents: { readonly [suffix: string]: number } = { n: -9, u: -6, m: -3 };

/** Few digits, none beyond billionths; with a binary suffix no fraction, and fewer digits for larger suffixes. */
function isSmallText(text: string): boolean {
  const [, whole = '', fraction = '', suffix = '', exponent = ''] = suffixShape.exec(text) ?? [];
  const zeros = /[^0]/.exec(whole)?.index ?? whole.length;
  const digits = Math.max(1, whole.length - zeros);
  const power = (binaryExponents.indexOf(suffix) + 1) * 10;
  if (power > 0) return fraction === '' && !text.includes('.') && 15 - digits - Math.trunc(power * 0.3) - 1 >= 0;
  const scale = /^[eE]$/.test(suffix) ? Number(exponent) : (decimalExponents[suffix] ?? 0);
  return digits + fraction.length <= 18 && scale - fraction.length >= -9;
}

function read(text: Value): QuantityValue | CelError {
  try {
    return QuantityValue.parse(text as string);
  } catch (error) {
    if (error instanceof QuantityError) return new CelError(error.message);
    throw error;
  }
}

/** guaranteed by the signatures */
function asQuantity(value: Value): QuantityValue {
  return value as QuantityValue;
}

function ofInteger(value: Value): QuantityValue {
  return new QuantityValue({ unscaled: BigInt(value as Int), exponent: 0, format: 'DecimalExponent' }, true);
}

const comparisons = [
  ['isGreaterThan', 'quantity_is_greater_than', bool, (order: number) => order === 1],
  ['isLessThan', 'quantity_is_less_than', bool, (order: number) => order === -1],
  ['compareTo', 'quantity_compare_to', int, (order: number) => order],
] as const;
const sums = [
  ['add', 'quantity_add', (a: QuantityValue, b: QuantityValue) => a.plus(b)],
  ['sub', 'quantity_sub', (a: QuantityValue, b: QuantityValue) => a.minus(b)],
] as const;

export const quantityLibrary: Library = {
  name: 'kubernetes.quantity',
  functions: [
    declare('quantity', global('string_to_quantity', [[string], quantityType], unary(read))),
    declare(
      'isQuantity',
      global(
        'is_quantity_string',
        [[string], bool],
        unary((text) => !(read(text) instanceof CelError)),
      ),
    ),
    declare(
      'sign',
      // A global function, although documented as a member.
      global(
        'quantity_sign',
        [[quantityType], int],
        unary(
          (value) =>
            Number(asQuantity(value).quantity.unscaled > 0n) - Number(asQuantity(value).quantity.unscaled < 0n),
        ),
      ),
    ),
    ...comparisons.map(([name, id, result, of]) =>
      declare(
        name,
        member(
          id,
          [[quantityType, quantityType], result],
          binary((a, b) => of(asQuantity(a).compare(asQuantity(b)))),
        ),
      ),
    ),
    declare(
      'asApproximateFloat',
      member(
        'quantity_get_float',
        [[quantityType], double],
        unary((value) => new Double(asQuantity(value).asDouble)),
      ),
    ),
    declare(
      'asInteger',
      member(
        'quantity_get_int',
        [[quantityType], int],
        unary((value) => asQuantity(value).asInteger ?? new CelError('cannot convert value to integer')),
      ),
    ),
    declare(
      'isInteger',
      member(
        'quantity_is_integer',
        [[quantityType], bool],
        unary((value) => asQuantity(value).asInteger !== undefined),
      ),
    ),
    ...sums.map(([name, id, combine]) =>
      declare(
        name,
        member(
          id,
          [[quantityType, quantityType], quantityType],
          binary((a, b) => combine(asQuantity(a), asQuantity(b))),
        ),
        member(
          `${id}_int`,
          [[quantityType, int], quantityType],
          binary((a, b) => combine(asQuantity(a), ofInteger(b))),
        ),
      ),
    ),
  ],
};
