import type { JsonObject, JsonValue } from '../../../src/api/json/json.ts';
import type { Field, Schema, SchemaFormat } from '../../../src/schema/schema.ts';
import type { Random } from '../../../tools/random-objects/repeatable-random.ts';

/** Common values by field name; for other fields they depend on the type. */
const valuesByName: { readonly [field: string]: readonly JsonValue[] } = {
  accessModes: [['ReadWriteOnce'], ['ReadOnlyMany', 'ReadWriteMany']],
  apiGroup: ['apps', ''],
  apiVersion: ['v1', 'apps/v1'],
  clusterIP: ['None'],
  containerPort: [80, 8080],
  completionMode: ['Indexed', 'NonIndexed'],
  concurrencyPolicy: ['Allow', 'Forbid'],
  dnsPolicy: ['Default', 'ClusterFirst'],
  effect: ['NoSchedule', 'NoExecute'],
  hostIP: ['127.0.0.1'],
  image: [
    'i',
    'i:latest',
    'i:1',
    'registry.example/i@sha256:0000000000000000000000000000000000000000000000000000000000000000',
  ],
  imagePullPolicy: ['Always', 'Never', 'IfNotPresent'],
  ip: ['10.0.0.9'],
  ipFamilies: [['IPv4']],
  key: ['k', 'example.com/k'],
  kind: ['Deployment', 'Pod'],
  maxSurge: [1, '10%'],
  maxUnavailable: [1, '20%', 0],
  mountPath: ['/data', '/other'],
  operator: ['Exists', 'In'],
  path: ['/p', 'p'],
  port: [80, 443],
  priorityClassName: ['system-node-critical'],
  protocol: ['TCP', 'UDP'],
  replicas: [0, 1, 5],
  restartPolicy: ['Always', 'Never', 'OnFailure'],
  runAsUser: [1000],
  schedule: ['0 * * * *'],
  scheme: ['HTTP', 'HTTPS'],
  seconds: [5],
  sessionAffinity: ['ClientIP', 'None'],
  targetPort: [8080, 'http'],
  terminationGracePeriodSeconds: [0, 5],
  timeoutSeconds: [1, 5],
  topologyKey: ['kubernetes.io/hostname'],
  type: [
    'RollingUpdate',
    'OnDelete',
    'Recreate',
    'ClusterIP',
    'NodePort',
    'LoadBalancer',
    'ExternalName',
    'Container',
    'Resource',
    'Utilization',
    'Directory',
    'Localhost',
    'RuntimeDefault',
  ],
  values: [['v'], ['v', 'w']],
  volumeMode: ['Block', 'Filesystem'],
  whenUnsatisfiable: ['DoNotSchedule', 'ScheduleAnyway'],
};

const quantities: readonly string[] = ['1', '100m', '1Gi', '0.5', '1500u', '1e3', '2000000', '1.5Gi', '0'];

const valuesByFormat: { readonly [format in SchemaFormat]?: readonly JsonValue[] } = {
  byte: ['YQ=='],
  'date-time': ['2026-01-02T03:04:05Z'],
  duration: ['5s', '1m0s'],
  'int-or-string': [1, 80, '25%', 'http'],
  'micro-time': ['2026-01-02T03:04:05.000006Z'],
  quantity: quantities,
  'raw-extension': [{ apiVersion: 'v1', kind: 'ConfigMap' }],
  json: [{ a: 1 }, 'text'],
};

const deepest = 7;

/** A value that fits the schema; few of an object's optional fields are set. */
export function randomValue(random: Random, { name, schema }: Pick<Field, 'name' | 'schema'>, depth = 0): JsonValue {
  const known = valuesByName[name]?.filter((value) => fits(value, schema)) ?? [];
  if (known.length > 0 && random.chance(0.9)) return structuredClone(random.pick(known) ?? null);
  if (schema.enum !== undefined && schema.enum.length > 0) return random.pick(schema.enum) ?? '';
  const formatted = schema.format === undefined ? undefined : valuesByFormat[schema.format];
  if (formatted !== undefined) return structuredClone(random.pick(formatted) ?? null);
  return valueOfType(random, schema, depth);
}

function valueOfType(random: Random, schema: Schema, depth: number): JsonValue {
  switch (schema.type) {
    case 'boolean':
      return random.chance(0.6);
    case 'integer':
      return random.pick([1, 2, 3, 0]) ?? 0;
    case 'number':
      return 1;
    case 'string':
      return random.pick(['a', 'b', 'a']) ?? '';
    case 'array':
      return schema.items === undefined ? [] : [randomValue(random, { name: '', schema: schema.items }, depth + 1)];
    case 'map':
      return schema.items === undefined
        ? {}
        : { [keyOf(random, schema.items)]: randomValue(random, { name: '', schema: schema.items }, depth + 1) };
    case 'object':
      return randomObject(random, schema, depth);
    case 'any':
      return {};
  }
}

function keyOf(random: Random, { format }: Schema): string {
  return format === 'quantity' ? (random.pick(['cpu', 'memory', 'storage', 'example.com/x']) ?? '') : 'a';
}

/** All required fields, and sometimes others. */
function randomObject(random: Random, { structure }: Schema, depth: number): JsonObject {
  const object: JsonObject = {};
  const fields = [...(structure?.fields.values() ?? [])];
  const optional = fields.filter(({ required }) => !required);
  const chosen = new Set<Field | undefined>(fields.filter(({ required }) => required));
  const wanted = depth >= deepest ? 0 : (random.pick([0, 1, 1, 1, 2, 3]) ?? 0);
  for (let count = 0; count < wanted; count += 1) chosen.add(random.pick(optional));
  for (const field of fields) {
    if (chosen.has(field) && depth < deepest * 2) object[field.name] = randomValue(random, field, depth + 1);
  }
  return object;
}

/** Whether a value from the table fits the field's type. */
function fits(value: JsonValue, { type, format, items }: Schema): boolean {
  if (Array.isArray(value)) return type === 'array' && value.every((item) => items !== undefined && fits(item, items));
  if (format === 'int-or-string') return typeof value === 'number' || typeof value === 'string';
  if (typeof value === 'number') return type === 'integer';
  return typeof value === 'string' && type === 'string' && format === undefined;
}
