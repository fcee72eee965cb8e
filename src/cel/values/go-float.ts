// Doubles as parsed by Go's `strconv.ParseFloat`.

const decimal = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
const hexadecimal = /^([+-]?)0[xX]([0-9a-fA-F]*)(?:\.([0-9a-fA-F]*))?[pP]([+-]?\d+)$/;
const special = /^([+-]?)(inf|infinity|nan)$/i;

/** Undefined for invalid input and on overflow. */
export function parseGoFloat(text: string): number | undefined {
  const [, sign, name] = special.exec(text) ?? [];
  if (name !== undefined) {
    if (name.toLowerCase() === 'nan') return sign === '' ? Number.NaN : undefined;
    return sign === '-' ? -Infinity : Infinity;
  }
  const plain = withoutUnderscores(text);
  const value = decimal.test(plain) ? Number(plain) : hexadecimalValue(plain);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

/** Underscores are allowed between digits, and after a hexadecimal prefix. */
function withoutUnderscores(text: string): string {
  return text.includes('_') ? text.replace(/(?<=[0-9a-fA-FxX])_(?=[0-9a-fA-F])/g, '') : text;
}

function hexadecimalValue(text: string): number | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = hexadecimal.exec(text) ?? [];
  if (sign === undefined || whole + fraction === '') return undefined;
  const digits = Number(`0x${whole}${fraction}`);
  const value = digits * 2 ** (Number(exponent) - 4 * fraction.length);
  return sign === '-' ? -value : value;
}
