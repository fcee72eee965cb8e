import { type ContainerSpec, fieldOf, type OptionalReference, type EnvironmentVariable } from './pod.ts';
import { ApiError } from './node-client.ts';
import type { VolumeContext } from './volumes.ts';

type Environment = { [name: string]: string };

/** What every container is given beside what its spec says. */
const usual = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', HOME: '/root' };

/** The environment of a container. Throws if something it refers to is missing. */
export async function environmentOf(
  { env = [], envFrom = [] }: ContainerSpec,
  context: VolumeContext,
  service: { readonly host: string; readonly port: number },
): Promise<Environment> {
  const { metadata, spec } = context.pod;
  const environment: Environment = {
    ...usual,
    HOSTNAME: spec.hostname ?? metadata.name,
    KUBERNETES_SERVICE_HOST: service.host,
    KUBERNETES_SERVICE_PORT: String(service.port),
  };
  for (const { prefix = '', configMapRef, secretRef } of envFrom) {
    const entries = {
      ...(configMapRef === undefined ? {} : await entriesOf(context, 'configmaps', configMapRef)),
      ...(secretRef === undefined ? {} : await entriesOf(context, 'secrets', secretRef)),
    };
    for (const [name, value] of Object.entries(entries)) environment[`${prefix}${name}`] = value;
  }
  for (const variable of env) {
    const value = await valueOf(variable, context);
    if (value !== undefined) environment[variable.name] = expand(value, environment);
  }
  return environment;
}

async function valueOf({ value = '', valueFrom }: EnvironmentVariable, context: VolumeContext) {
  if (valueFrom === undefined) return value;
  const { fieldRef, configMapKeyRef, secretKeyRef } = valueFrom;
  if (fieldRef !== undefined) return fieldOf(context.pod, context.addresses, fieldRef.fieldPath);
  if (configMapKeyRef !== undefined) return keyOf(context, 'configmaps', configMapKeyRef);
  if (secretKeyRef !== undefined) return keyOf(context, 'secrets', secretKeyRef);
  throw new Error('a source of an environment variable is not supported');
}

async function keyOf(
  context: VolumeContext,
  resource: 'configmaps' | 'secrets',
  reference: OptionalReference & { readonly key: string },
): Promise<string | undefined> {
  const value = (await entriesOf(context, resource, reference))[reference.key];
  if (value === undefined && reference.optional !== true) throw new Error(`couldn't find key ${reference.key}`);
  return value;
}

async function entriesOf(
  { client, pod }: VolumeContext,
  resource: 'configmaps' | 'secrets',
  { name, optional = false }: OptionalReference,
): Promise<Environment> {
  try {
    const object = await client.send('GET', `/api/v1/namespaces/${pod.metadata.namespace}/${resource}/${name}`);
    const data = (object['data'] ?? {}) as Environment;
    if (resource === 'configmaps') return data;
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, atob(value)]));
  } catch (error) {
    if (optional && error instanceof ApiError && error.code === 404) return {};
    throw error;
  }
}

/** `$(NAME)` becomes the value of a variable that exists; `$$` is one `$`. */
export function expand(text: string, environment: Environment): string {
  return text.replaceAll(/\$\$|\$\(([^)]*)\)/g, (whole: string, name?: string) =>
    name === undefined ? '$' : (environment[name] ?? whole),
  );
}
