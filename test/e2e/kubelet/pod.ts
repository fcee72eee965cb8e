/** What the kubelet reads of a pod. */
export interface Pod {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly uid: string;
    readonly labels?: StringMap;
    readonly annotations?: StringMap;
    readonly deletionTimestamp?: string;
    readonly deletionGracePeriodSeconds?: number;
  };
  readonly spec: {
    readonly nodeName: string;
    readonly serviceAccountName?: string;
    readonly hostNetwork?: boolean;
    readonly hostname?: string;
    readonly restartPolicy?: 'Always' | 'OnFailure' | 'Never';
    readonly volumes?: readonly Volume[];
    readonly initContainers?: readonly ContainerSpec[];
    readonly containers: readonly ContainerSpec[];
    readonly readinessGates?: readonly { readonly conditionType: string }[];
    readonly hostAliases?: readonly { readonly ip: string; readonly hostnames: readonly string[] }[];
    readonly securityContext?: {
      readonly runAsUser?: number;
      readonly runAsGroup?: number;
      readonly fsGroup?: number;
    };
  };
  readonly status: { readonly phase?: string; readonly conditions?: readonly Condition[] };
}

export interface StringMap {
  readonly [key: string]: string;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
}

export interface ContainerSpec {
  readonly name: string;
  readonly image: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly workingDir?: string;
  readonly env?: readonly EnvironmentVariable[];
  readonly envFrom?: readonly {
    readonly prefix?: string;
    readonly configMapRef?: OptionalReference;
    readonly secretRef?: OptionalReference;
  }[];
  readonly volumeMounts?: readonly {
    readonly name: string;
    readonly mountPath: string;
    readonly subPath?: string;
  }[];
  readonly ports?: readonly { readonly name?: string; readonly containerPort: number }[];
  readonly readinessProbe?: Probe;
  /** `Always` for init containers that keep running beside the others. */
  readonly restartPolicy?: 'Always';
  readonly securityContext?: { readonly runAsUser?: number; readonly runAsGroup?: number };
}

export interface OptionalReference {
  readonly name: string;
  readonly optional?: boolean;
}

export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string };
    readonly configMapKeyRef?: OptionalReference & { readonly key: string };
    readonly secretKeyRef?: OptionalReference & { readonly key: string };
  };
}

export interface Probe {
  readonly httpGet?: {
    readonly path?: string;
    readonly port: number | string;
    readonly scheme?: 'HTTP' | 'HTTPS';
  };
  readonly tcpSocket?: { readonly port: number | string };
  readonly exec?: { readonly command: readonly string[] };
  readonly initialDelaySeconds?: number;
  readonly periodSeconds?: number;
  readonly timeoutSeconds?: number;
  readonly successThreshold?: number;
  readonly failureThreshold?: number;
}

export interface KeyItem {
  readonly key: string;
  readonly path: string;
}

export interface FieldItem {
  readonly path: string;
  readonly fieldRef?: { readonly fieldPath: string };
}

/** The sources that a projected volume may have, by name. */
export interface VolumeSources {
  readonly secret?: { readonly name?: string; readonly items?: readonly KeyItem[]; readonly optional?: boolean };
  readonly configMap?: OptionalReference & { readonly items?: readonly KeyItem[] };
  readonly downwardAPI?: { readonly items?: readonly FieldItem[] };
  readonly serviceAccountToken?: {
    readonly path: string;
    readonly audience?: string;
    readonly expirationSeconds?: number;
  };
  readonly clusterTrustBundle?: {
    readonly path: string;
    readonly name?: string;
    readonly signerName?: string;
    readonly labelSelector?: { readonly matchLabels?: StringMap; readonly matchExpressions?: readonly unknown[] };
    readonly optional?: boolean;
  };
}

export interface Volume extends Pick<VolumeSources, 'configMap' | 'downwardAPI'> {
  readonly name: string;
  readonly secret?: { readonly secretName: string; readonly items?: readonly KeyItem[]; readonly optional?: boolean };
  readonly projected?: { readonly sources: readonly VolumeSources[] };
  readonly emptyDir?: object;
}

/** The value of a field that the downward API offers. Throws for any other. */
export function fieldOf(pod: Pod, addresses: { readonly pod: string; readonly node: string }, path: string): string {
  const { metadata, spec } = pod;
  const entry = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path);
  if (entry !== null) return metadata[entry[1] as 'labels' | 'annotations']?.[entry[2] ?? ''] ?? ''; // as the pattern says
  const fields: { readonly [path: string]: () => string } = {
    'metadata.name': () => metadata.name,
    'metadata.namespace': () => metadata.namespace,
    'metadata.uid': () => metadata.uid,
    'metadata.labels': () => linesOf(metadata.labels),
    'metadata.annotations': () => linesOf(metadata.annotations),
    'spec.nodeName': () => spec.nodeName,
    'spec.serviceAccountName': () => spec.serviceAccountName ?? '',
    'status.podIP': () => addresses.pod,
    'status.podIPs': () => addresses.pod,
    'status.hostIP': () => addresses.node,
    'status.hostIPs': () => addresses.node,
  };
  const field = fields[path];
  if (field === undefined) throw new Error(`the field ${path} is not supported`);
  return field();
}

function linesOf(map: StringMap = {}): string {
  return Object.entries(map)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join('\n');
}
