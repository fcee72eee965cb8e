import { isJsonObject, type JsonObject, type JsonValue } from '../../api/json/json.ts';
import type { MergeType } from '../merge-type.ts';
import { casesOf, typeOfNamed } from './read-schema.ts';

const objects = casesOf<{ readonly name: string; readonly object: JsonObject }>('large-objects.jsonl');

const addresses = 1000;

/** A large object from the file, or Endpoints with a thousand addresses. */
export function largeObject(name: string): JsonObject {
  const found = name === 'endpoints' ? endpoints : objects.find((each) => each.name === name)?.object;
  if (found === undefined) throw new Error(`no object ${name}`);
  return found;
}

const endpoints: JsonObject = {
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: {
    creationTimestamp: '2016-10-04T17:45:58Z',
    labels: { app: 'my-app' },
    name: 'app-server',
    namespace: 'default',
    resourceVersion: '184597135',
    selfLink: '/self/link',
    uid: '6826f086-8a5a-11e6-8d09-42010a800005',
  },
  subsets: [
    {
      addresses: Array.from({ length: addresses }, (_, index) => ({
        ip: '10.0.0.1',
        targetRef: {
          kind: 'Pod',
          name: `pod-name-1234-${String(index).padStart(4, '0')}`,
          namespace: 'default',
          resourceVersion: '1234567890',
          uid: '11111111-2222-3333-4444-555555555555',
        },
      })),
      ports: [{ name: 'port-name', port: 8080, protocol: 'TCP' }],
    },
  ],
};

const types = casesOf<{ readonly schema: string; readonly type: JsonObject }>('large-types.jsonl');

/** Which fields of named types are marked granular. */
export type GranularFields = 'none' | 'some' | 'all';

const someFields: ReadonlySet<string> = new Set([
  'io.k8s.api.core.v1.Container resources',
  'io.k8s.api.core.v1.ContainerStatus lastState',
  'io.k8s.api.core.v1.Handler exec',
  'io.k8s.api.core.v1.Node metadata',
  'io.k8s.api.core.v1.NodeConfigStatus active',
  'io.k8s.api.core.v1.PodSpec affinity',
  'io.k8s.api.core.v1.TCPSocketAction port',
  'io.k8s.api.core.v1.Volume gcePersistentDisk',
  'io.k8s.api.core.v1.Volume projected',
  'io.k8s.api.core.v1.Volume storageos',
]);

/** A type from one of the file's two schemas. */
export function largeType(schema: string, name: string, granular: GranularFields): MergeType {
  const named = types.filter((each) => each.schema === schema).map(({ type }) => withGranular(type, granular));
  return typeOfNamed(name, named);
}

function withGranular(type: JsonObject, granular: GranularFields): JsonObject {
  const { name, map } = type;
  if (granular === 'none' || typeof name !== 'string' || !isJsonObject(map) || !Array.isArray(map['fields'])) {
    return type;
  }
  const fields = map['fields'].filter(isJsonObject).map((field) => {
    const reference = field['type'];
    const isChosen = granular === 'all' || someFields.has(`${name} ${stringValue(field['name'])}`);
    if (!isChosen || !isJsonObject(reference) || typeof reference['namedType'] !== 'string') return field;
    // Times are scalars.
    if (reference['namedType'].endsWith('.Time')) return field;
    return { ...field, type: { ...reference, elementRelationship: 'granular' } };
  });
  return { ...type, map: { ...map, fields } };
}

function stringValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
