import { isJsonObject, type JsonObject, type JsonValue } from '../../../api/json/json.ts';
import { canonicalQuantity, QuantityError } from '../../../api/values/quantity.ts';
import { canonicalTimeText, isZeroTime, parseTime, TimeError } from '../../../api/time/time.ts';
import { JsonSyntaxError } from '../../../codec/json-syntax.ts';
import { parseJson } from '../../../codec/json.ts';

/** The Go type of a value in an annotation. */
type Shape = Scalar | { readonly listOf: Shape } | { readonly textByName: true } | { readonly fields: Fields };
type Scalar = 'string' | 'int32' | 'int64' | 'quantity' | 'time';
type Fields = { readonly [name: string]: Shape };

const condition: Fields = {
  type: 'string',
  status: 'string',
  lastTransitionTime: 'time',
  reason: 'string',
  message: 'string',
  observedGeneration: 'int64',
};

const requirement: Fields = { key: 'string', operator: 'string', values: { listOf: 'string' } };
const selector: Shape = {
  fields: { matchLabels: { textByName: true }, matchExpressions: { listOf: { fields: requirement } } },
};
const target: Shape = { fields: { kind: 'string', name: 'string', apiVersion: 'string' } };

const source: Fields = {
  type: 'string',
  object: {
    fields: { target, metricName: 'string', targetValue: 'quantity', selector, averageValue: 'quantity' },
  },
  pods: { fields: { metricName: 'string', targetAverageValue: 'quantity', selector } },
  resource: { fields: resource('target') },
  containerResource: { fields: { ...resource('target'), container: 'string' } },
  external: { fields: external('target') },
};

const status: Fields = {
  type: 'string',
  object: {
    fields: { target, metricName: 'string', currentValue: 'quantity', selector, averageValue: 'quantity' },
  },
  pods: { fields: { metricName: 'string', currentAverageValue: 'quantity', selector } },
  resource: { fields: resource('current') },
  containerResource: { fields: { ...resource('current'), container: 'string' } },
  external: { fields: external('current') },
};

function resource(prefix: 'target' | 'current'): Fields {
  return { name: 'string', [`${prefix}AverageUtilization`]: 'int32', [`${prefix}AverageValue`]: 'quantity' };
}

function external(prefix: 'target' | 'current'): Fields {
  const values: Fields = { [`${prefix}Value`]: 'quantity', [`${prefix}AverageValue`]: 'quantity' };
  return { metricName: 'string', metricSelector: selector, ...values };
}

const policy: Fields = { type: 'string', value: 'int32', periodSeconds: 'int32' };
const rules: Shape = {
  fields: {
    stabilizationWindowSeconds: 'int32',
    selectPolicy: 'string',
    tolerance: 'quantity',
    policies: { listOf: { fields: policy } },
  },
};

/** What annotations of autoscaling/v1 contain. */
export const annotationShapes = {
  metrics: { listOf: { fields: source } },
  currentMetrics: { listOf: { fields: status } },
  conditions: { listOf: { fields: condition } },
  behavior: { fields: { scaleUp: rules, scaleDown: rules } },
} satisfies { readonly [name: string]: Shape };

class ShapeError extends Error {
  override readonly name = 'ShapeError';
}

/**
 * The value of an annotation, read as Go reads JSON: names in any case, without unknown fields and nulls. Undefined if
 * it is null, or does not fit: no conversion has written it then.
 */
export function annotationValue(text: string, shape: Shape): JsonValue | undefined {
  try {
    return shaped(parseJson(Buffer.from(text)).value, shape);
  } catch (error) {
    const unfit = [JsonSyntaxError, ShapeError, QuantityError, TimeError].some((kind) => error instanceof kind);
    if (unfit) return undefined;
    throw error;
  }
}

function shaped(value: JsonValue, shape: Shape): JsonValue | undefined {
  if (value === null) return undefined;
  if (typeof shape === 'string') return scalar(value, shape);
  if ('listOf' in shape) {
    if (!Array.isArray(value)) throw new ShapeError();
    return value.map((item) => shaped(item, shape.listOf) ?? zeroOf(shape.listOf));
  }
  if (!isJsonObject(value)) throw new ShapeError();
  return 'fields' in shape ? struct(value, shape.fields) : textByName(value);
}

function zeroOf(shape: Shape): JsonValue {
  return typeof shape === 'string' ? '' : {};
}

function struct(value: JsonObject, fields: Fields): JsonObject {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]));
  const result: JsonObject = {};
  for (const [given, member] of Object.entries(value)) {
    const name = names.get(given.toLowerCase());
    const shape = name === undefined ? undefined : fields[name];
    const decoded = shape === undefined ? undefined : shaped(member, shape);
    if (name !== undefined && decoded !== undefined) result[name] = decoded;
  }
  return result;
}

function textByName(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shaped(item, 'string') ?? '']));
}

const mostOf = { int32: 2n ** 31n, int64: 2n ** 63n } as const;

function scalar(value: JsonValue, type: Scalar): JsonValue | undefined {
  if (type === 'int32' || type === 'int64') {
    const fits = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
    if (!fits || BigInt(value) >= mostOf[type] || BigInt(value) < -mostOf[type]) throw new ShapeError();
    return value;
  }
  if (type === 'quantity' && typeof value === 'number') return canonicalQuantity(String(value));
  if (typeof value !== 'string') throw new ShapeError();
  if (type === 'string') return value;
  if (type === 'quantity') return canonicalQuantity(value);
  return isZeroTime(parseTime(value)) ? undefined : canonicalTimeText(value);
}
