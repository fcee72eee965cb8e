import { readFileSync } from 'node:fs';
import { join } from 'node:path';

// The reference's internal structs whose values validation messages show: field names in struct order.

/** Group in the internal packages, and the k8s.io/api package of its v1 types. */
const groups: { readonly [name: string]: string } = {
  core: 'core/v1',
  apps: 'apps/v1',
  batch: 'batch/v1',
  networking: 'networking/v1',
  rbac: 'rbac/v1',
  autoscaling: 'autoscaling/v2',
  policy: 'policy/v1',
  discovery: 'discovery/v1',
  storage: 'storage/v1',
  flowcontrol: 'flowcontrol/v1',
  admissionregistration: 'admissionregistration/v1',
  certificates: 'certificates/v1',
  coordination: 'coordination/v1',
  node: 'node/v1',
  scheduling: 'scheduling/v1',
  resource: 'resource/v1',
};

/** The roots of the closure. */
const roots = [
  'core.PodTemplateSpec core.PersistentVolumeSource core.Taint core.ServicePort core.NodeAddress core.NodeConfigSource',
  'core.PersistentVolumeClaim core.VolumeNodeAffinity core.PodIP core.HostIP core.ScopeSelector core.ContainerStatus',
  'core.EndpointSubset core.Toleration apps.DeploymentStrategy apps.DaemonSetUpdateStrategy apps.StatefulSetUpdateStrategy',
  'batch.JobSpec networking.IngressSpec networking.NetworkPolicySpec rbac.RoleRef rbac.Subject rbac.PolicyRule',
  'rbac.AggregationRule batch.UncountedTerminatedPods storage.CSINodeDriver storage.VolumeAttachmentSpec',
  'storage.TokenRequest scheduling.PriorityClass networking.IngressClassSpec networking.ParentReference',
  'autoscaling.HorizontalPodAutoscalerSpec discovery.Endpoint flowcontrol.FlowSchemaSpec',
  'flowcontrol.PriorityLevelConfigurationSpec resource.ResourceClaimTemplateSpec resource.DeviceClassSpec',
  'resource.ResourceSliceSpec certificates.CertificateSigningRequestStatus certificates.PodCertificateRequestSpec node.RuntimeClass',
  'apiextensions.CustomResourceDefinitionVersion admissionregistration.AuditAnnotation',
  'scheduling.CompositePodGroupTemplate',
]
  .join(' ')
  .split(' ');

interface GoField {
  readonly name: string;
  readonly type: string;
  readonly tag: string;
}

/** Structs and named types in a Go file. */
interface GoTypes {
  readonly structs: ReadonlyMap<string, readonly GoField[]>;
  readonly aliases: ReadonlyMap<string, string>;
}

function readTypes(file: string): GoTypes {
  const source = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '');
  const lines = source.split('\n').map((line) => line.replace(/\/\/.*$/, '').trimEnd());
  const structs = new Map<string, GoField[]>();
  const aliases = new Map<string, string>();
  let current: GoField[] | undefined;
  for (const line of lines) {
    const start = /^(?:type |\t)(\w+) struct \{(\})?$/.exec(line);
    if (start?.[1] !== undefined && (line.startsWith('type ') || current === undefined)) {
      current = [];
      structs.set(start[1], current);
      if (start[2] !== undefined) current = undefined;
      continue;
    }
    const alias = /^type (\w+) ([\w.[\]*]+)$/.exec(line);
    if (alias?.[1] !== undefined && alias[2] !== undefined) aliases.set(alias[1], alias[2]);
    if (line === '}') current = undefined;
    const field = /^\t(?:(\w+)\s+)?([\w.[\]*]+)(?:\s+`json:"([^"]*)".*`)?(?:\s+`.*`)?$/.exec(line);
    if (current && field?.[2] !== undefined) {
      current.push({ name: field[1] ?? '', type: field[2], tag: field[3] ?? '' });
    }
  }
  return { structs, aliases };
}

function joined(files: readonly GoTypes[]): GoTypes {
  return {
    structs: new Map(files.flatMap(({ structs }) => [...structs])),
    aliases: new Map(files.flatMap(({ aliases }) => [...aliases])),
  };
}

const scalars: { readonly [goType: string]: string } = {
  string: 'string',
  bool: 'boolean',
  byte: 'number',
  int: 'number',
  int32: 'number',
  int64: 'number',
  float64: 'number',
  'resource.Quantity': 'quantity',
  'types.UID': 'string',
  'types.NodeName': 'string',
  'intstr.IntOrString': 'number',
  'metav1.Time': 'null',
  'metav1.MicroTime': 'null',
  // Any JSON value of apiextensions.
  JSON: 'json',
};

export interface SourceFolders {
  readonly kubernetesDir: string;
  /** The folder of k8s.io/api. */
  readonly apiDir: string;
  /** The folder of k8s.io/apiextensions-apiserver, which has both forms of its types. */
  readonly apiextensionsDir: string;
}

const definitionFiles = ['types.go', 'types_jsonschema.go'];

/** One entry `group.Type`, `GoName:jsonName:type ...` per struct reachable from the roots. */
export function internalTypesTable({ kubernetesDir, apiDir, apiextensionsDir }: SourceFolders): string {
  const internal = new Map<string, GoTypes>();
  const published = new Map<string, GoTypes>();
  for (const [group, versioned] of Object.entries(groups)) {
    internal.set(group, readTypes(join(kubernetesDir, 'pkg/apis', group, 'types.go')));
    published.set(group, readTypes(join(apiDir, versioned, 'types.go')));
  }
  const definitions = join(apiextensionsDir, 'pkg/apis/apiextensions');
  internal.set('apiextensions', joined(definitionFiles.map((file) => readTypes(join(definitions, file)))));
  published.set('apiextensions', joined(definitionFiles.map((file) => readTypes(join(definitions, 'v1', file)))));
  const entries = new Map<string, string>();
  const queue = [...roots];
  const want = (type: string): string => {
    queue.push(type);
    return type;
  };
  for (let name = queue.shift(); name !== undefined; name = queue.shift()) {
    if (entries.has(name)) continue;
    const [group = '', struct = ''] = name.split('.');
    entries.set(name, fieldList({ group, struct, internal, published, want }).join(' '));
  }
  const lines = [...entries].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, list]) => `  '${name}': '${list}',\n`);
  return `export const internalTypes: { readonly [type: string]: string } = {\n${lines.join('')}};\n`;
}

interface Scope {
  readonly group: string;
  readonly struct: string;
  readonly internal: ReadonlyMap<string, GoTypes>;
  readonly published: ReadonlyMap<string, GoTypes>;
  want(type: string): string;
}

function fieldList(scope: Scope): string[] {
  const { group, struct, internal, published } = scope;
  const fields = internal.get(group)?.structs.get(struct);
  if (fields === undefined) throw new Error(`${group}.${struct}: no such struct`);
  return fields.flatMap((field) => {
    if (field.name === '') {
      if (field.type.startsWith('metav1.'))
        return field.type === 'metav1.ObjectMeta' ? ['ObjectMeta:metadata:embedded'] : [];
      return fieldList({ ...scope, struct: field.type });
    }
    return [`${field.name}:${jsonName(published.get(group), struct, field.name)}:${typeText(field.type, scope)}`];
  });
}

function jsonName(published: GoTypes | undefined, struct: string, field: string): string {
  const find = (name: string): string | undefined => {
    for (const candidate of published?.structs.get(name) ?? []) {
      if (candidate.name === field) return candidate.tag.split(',')[0];
      const inner = candidate.name === '' ? find(candidate.type.replace(/^\*/, '')) : undefined;
      if (inner !== undefined) return inner;
    }
    return undefined;
  };
  // Fields without a JSON name belong to unions, which `internal-value.ts` receives as objects, or to other versions.
  return find(struct) || field.replace(/^(?:[A-Z]+(?![a-z])|[A-Z])/, (head) => head.toLowerCase());
}

function typeText(type: string, scope: Scope): string {
  if (type.startsWith('*')) return `*${typeText(type.slice(1), scope)}`;
  if (type === '[]byte') return '*string';
  if (type.startsWith('[]')) return `[]${typeText(type.slice(2), scope)}`;
  const map = /^map\[[\w.]+\]([\s\S]+)$/.exec(type);
  if (map?.[1] !== undefined) return `{}${typeText(map[1], scope)}`;
  if (Object.hasOwn(scalars, type)) return scalars[type] ?? 'null';
  if (/^(api|core)\.\w+$/.test(type)) return typeText(type.replace(/^(api|core)\./, ''), { ...scope, group: 'core' });
  if (type === 'runtime.RawExtension') return 'json';
  if (type.includes('.')) return 'plain';
  const own = scope.internal.get(scope.group);
  if (own?.structs.has(type)) return scope.want(`${scope.group}.${type}`);
  const alias = own?.aliases.get(type);
  return alias === undefined ? 'string' : typeText(alias, scope);
}
