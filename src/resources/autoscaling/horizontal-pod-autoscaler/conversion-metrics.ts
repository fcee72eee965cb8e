import type { JsonObject, JsonValue } from '../../../api/json/json.ts';

// Metrics as written to annotations of autoscaling/v1: fields in the order of its types, because clients compare
// annotations as strings.

type Json = JsonValue | undefined;

function field(value: Json, ...path: readonly string[]): Json {
  let found = value;
  for (const name of path) {
    if (typeof found !== 'object' || found === null || Array.isArray(found)) return undefined;
    found = Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

/** Omits absent fields. */
function object(fields: { readonly [name: string]: Json }): JsonObject {
  // Without the absent fields it is JSON.
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

function selector(value: Json): Json {
  if (value === undefined) return undefined;
  const matchLabels = field(value, 'matchLabels');
  const labels = Object.entries(typeof matchLabels === 'object' && matchLabels !== null ? matchLabels : {});
  const expressions = field(value, 'matchExpressions');
  return object({
    matchLabels: labels.length === 0 ? undefined : Object.fromEntries(labels.sort(([a], [b]) => (a < b ? -1 : 1))),
    matchExpressions: Array.isArray(expressions)
      ? expressions.map((entry) =>
          object({
            key: field(entry, 'key') ?? '',
            operator: field(entry, 'operator') ?? '',
            values: field(entry, 'values'),
          }),
        )
      : undefined,
  });
}

function reference(value: Json): JsonObject {
  return object({
    kind: field(value, 'kind') ?? '',
    name: field(value, 'name') ?? '',
    apiVersion: field(value, 'apiVersion'),
  });
}

function isZero(amount: Json): boolean {
  return typeof amount === 'string' && /^[-+]?0*(?:\.0*)?[A-Za-z]*$/.test(amount);
}

function metric(name: Json, match: Json): JsonObject {
  return object({ name: name ?? '', selector: selector(match) });
}

/** One metric type: its name, and how its fields are converted. */
interface Form {
  readonly name: string;
  readonly sourceToV1: (source: Json) => JsonObject;
  readonly sourceToV2: (source: Json) => JsonObject;
  readonly statusToV1: (status: Json) => JsonObject;
  readonly statusToV2: (status: Json) => JsonObject;
}

const objectForm: Form = {
  name: 'object',
  sourceToV1: (source) =>
    object({
      target: reference(field(source, 'describedObject')),
      metricName: field(source, 'metric', 'name') ?? '',
      targetValue: field(source, 'target', 'value') ?? '0',
      selector: selector(field(source, 'metric', 'selector')),
      averageValue: field(source, 'target', 'averageValue'),
    }),
  sourceToV2(source) {
    const [value, averageValue] = [field(source, 'targetValue') ?? '0', field(source, 'averageValue')];
    const target =
      averageValue === undefined
        ? { type: 'Value', value }
        : object({ type: 'AverageValue', value: isZero(value) ? undefined : value, averageValue });
    return object({
      describedObject: reference(field(source, 'target')),
      target,
      metric: metric(field(source, 'metricName'), field(source, 'selector')),
    });
  },
  statusToV1: (status) =>
    object({
      target: reference(field(status, 'describedObject')),
      metricName: field(status, 'metric', 'name') ?? '',
      currentValue: field(status, 'current', 'value') ?? '0',
      selector: selector(field(status, 'metric', 'selector')),
      averageValue: field(status, 'current', 'averageValue'),
    }),
  statusToV2: (status) =>
    object({
      metric: metric(field(status, 'metricName'), field(status, 'selector')),
      current: object({ value: field(status, 'currentValue') ?? '0', averageValue: field(status, 'averageValue') }),
      describedObject: reference(field(status, 'target')),
    }),
};

const podsForm: Form = {
  name: 'pods',
  sourceToV1: (source) =>
    object({
      metricName: field(source, 'metric', 'name') ?? '',
      targetAverageValue: field(source, 'target', 'averageValue') ?? '0',
      selector: selector(field(source, 'metric', 'selector')),
    }),
  sourceToV2: (source) => ({
    metric: metric(field(source, 'metricName'), field(source, 'selector')),
    target: { type: 'AverageValue', averageValue: field(source, 'targetAverageValue') ?? '0' },
  }),
  statusToV1: (status) =>
    object({
      metricName: field(status, 'metric', 'name') ?? '',
      currentAverageValue: field(status, 'current', 'averageValue') ?? '0',
      selector: selector(field(status, 'metric', 'selector')),
    }),
  statusToV2: (status) => ({
    metric: metric(field(status, 'metricName'), field(status, 'selector')),
    current: { averageValue: field(status, 'currentAverageValue') ?? '0' },
  }),
};

/** `container`, if any, comes last. */
function resourceForm(name: 'resource' | 'containerResource'): Form {
  const container = (value: Json): Json =>
    name === 'containerResource' ? (field(value, 'container') ?? '') : undefined;
  return {
    name,
    sourceToV1: (source) =>
      object({
        name: field(source, 'name') ?? '',
        targetAverageUtilization: field(source, 'target', 'averageUtilization'),
        targetAverageValue: field(source, 'target', 'averageValue'),
        container: container(source),
      }),
    sourceToV2(source) {
      const averageUtilization = field(source, 'targetAverageUtilization');
      const type = averageUtilization === undefined ? 'AverageValue' : 'Utilization';
      const target = object({ type, averageValue: field(source, 'targetAverageValue'), averageUtilization });
      return object({ name: field(source, 'name') ?? '', container: container(source), target });
    },
    statusToV1: (status) =>
      object({
        name: field(status, 'name') ?? '',
        currentAverageUtilization: field(status, 'current', 'averageUtilization'),
        currentAverageValue: field(status, 'current', 'averageValue') ?? '0',
        container: container(status),
      }),
    statusToV2: (status) =>
      object({
        name: field(status, 'name') ?? '',
        current: object({
          averageValue: field(status, 'currentAverageValue') ?? '0',
          averageUtilization: field(status, 'currentAverageUtilization'),
        }),
        container: container(status),
      }),
  };
}

const externalForm: Form = {
  name: 'external',
  sourceToV1: (source) =>
    object({
      metricName: field(source, 'metric', 'name') ?? '',
      metricSelector: selector(field(source, 'metric', 'selector')),
      targetValue: field(source, 'target', 'value'),
      targetAverageValue: field(source, 'target', 'averageValue'),
    }),
  sourceToV2(source) {
    const value = field(source, 'targetValue');
    const type = value === undefined ? 'AverageValue' : 'Value';
    return {
      metric: metric(field(source, 'metricName'), field(source, 'metricSelector')),
      target: object({ type, value, averageValue: field(source, 'targetAverageValue') }),
    };
  },
  statusToV1: (status) =>
    object({
      metricName: field(status, 'metric', 'name') ?? '',
      metricSelector: selector(field(status, 'metric', 'selector')),
      currentValue: field(status, 'current', 'value') ?? '0',
      currentAverageValue: field(status, 'current', 'averageValue'),
    }),
  statusToV2: (status) => ({
    metric: metric(field(status, 'metricName'), field(status, 'metricSelector')),
    current: object({
      value: field(status, 'currentValue') ?? '0',
      averageValue: field(status, 'currentAverageValue'),
    }),
  }),
};

const forms = [objectForm, podsForm, resourceForm('resource'), resourceForm('containerResource'), externalForm];

type Direction = Exclude<keyof Form, 'name'>;

/** Converts a metric, or the status of one, to or from its annotation. */
export function convertMetric(value: Json, direction: Direction): JsonObject {
  const members = forms.map((form) => {
    const member = field(value, form.name);
    return [form.name, member === undefined ? undefined : form[direction](member)] as const;
  });
  return object({ type: field(value, 'type') ?? '', ...Object.fromEntries(members) });
}

export function conditionToV1(condition: Json): JsonObject {
  return object({
    type: field(condition, 'type') ?? '',
    status: field(condition, 'status') ?? '',
    lastTransitionTime: field(condition, 'lastTransitionTime') ?? null,
    reason: field(condition, 'reason'),
    message: field(condition, 'message'),
    observedGeneration: field(condition, 'observedGeneration'),
  });
}

function rulesToAnnotation(rules: Json): Json {
  if (rules === undefined) return null;
  const policies = field(rules, 'policies');
  return {
    StabilizationWindowSeconds: field(rules, 'stabilizationWindowSeconds') ?? null,
    SelectPolicy: field(rules, 'selectPolicy') ?? null,
    Policies: Array.isArray(policies)
      ? policies.map((policy) => ({
          Type: field(policy, 'type') ?? '',
          Value: field(policy, 'value') ?? 0,
          PeriodSeconds: field(policy, 'periodSeconds') ?? 0,
        }))
      : null,
    Tolerance: field(rules, 'tolerance') ?? null,
  };
}

/** Behavior is annotated with its Go field names, which are capitalized. */
export function behaviorToAnnotation(behavior: Json): JsonObject {
  return {
    ScaleUp: rulesToAnnotation(field(behavior, 'scaleUp')) ?? null,
    ScaleDown: rulesToAnnotation(field(behavior, 'scaleDown')) ?? null,
  };
}
