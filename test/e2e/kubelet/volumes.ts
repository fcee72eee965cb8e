import { chmod, chown, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { JsonObject } from '../../../src/api/json/json.ts';
import { ApiError, type NodeClient } from './node-client.ts';
import { fieldOf, type KeyItem, type Pod, type Volume, type VolumeSources } from './pod.ts';

export interface VolumeContext {
  readonly client: NodeClient;
  readonly pod: Pod;
  readonly addresses: { readonly pod: string; readonly node: string };
}

/** Files by their path in a volume. */
type Files = { [path: string]: string | Buffer };

type Source = keyof VolumeSources;

/** Each reads one kind of source. */
const readers: {
  readonly [S in Source]: (source: NonNullable<VolumeSources[S]>, context: VolumeContext) => Promise<Files>;
} = {
  async secret({ name = '', items, optional = false }, context) {
    const object = await findObject(context, 'secrets', { name, optional });
    const data = (object?.['data'] ?? {}) as { [key: string]: string };
    const files = Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
    return picked(Object.fromEntries(files), items);
  },

  async configMap({ name, items, optional = false }, context) {
    const object = await findObject(context, 'configmaps', { name, optional });
    const binary = (object?.['binaryData'] ?? {}) as { [key: string]: string };
    const files = Object.entries(binary).map(([key, value]) => [key, Buffer.from(value, 'base64')] as const);
    return picked({ ...((object?.['data'] ?? {}) as Files), ...Object.fromEntries(files) }, items);
  },

  async downwardAPI({ items = [] }, { pod, addresses }) {
    const files = items.map(({ path, fieldRef }) => {
      if (fieldRef === undefined) throw new Error('only fields are supported by the downward API');
      return [path, fieldOf(pod, addresses, fieldRef.fieldPath)] as const;
    });
    return Object.fromEntries(files);
  },

  async serviceAccountToken({ path, audience, expirationSeconds }, { client, pod }) {
    const { name, uid, namespace } = pod.metadata;
    const account = pod.spec.serviceAccountName ?? 'default';
    const spec = {
      audiences: audience === undefined ? [] : [audience],
      expirationSeconds,
      boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name, uid },
    };
    const tokenPath = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
    const { status } = (await client.send('POST', tokenPath, { spec })) as { status?: { token?: string } };
    return { [path]: status?.token ?? '' };
  },

  async clusterTrustBundle({ path, name, signerName, labelSelector, optional = false }, { client }) {
    const bundles = '/apis/certificates.k8s.io/v1/clustertrustbundles';
    if (labelSelector?.matchExpressions !== undefined) throw new Error('only matchLabels is supported');
    const labels = Object.entries(labelSelector?.matchLabels ?? {});
    const query = new URLSearchParams({
      fieldSelector: name === undefined ? `spec.signerName=${signerName}` : `metadata.name=${name}`,
      labelSelector: labels.map(([key, value]) => `${key}=${value}`).join(','),
    });
    // No selector selects nothing, an empty one everything.
    const selectsNone = name === undefined && labelSelector === undefined;
    const { items = [] } = (selectsNone ? {} : await client.send('GET', `${bundles}?${query.toString()}`)) as {
      items?: readonly { readonly spec: { readonly trustBundle: string } }[];
    };
    const found = items.map(({ spec }) => spec.trustBundle);
    if (found.length === 0 && !optional) throw new Error('no cluster trust bundle matches');
    return { [path]: found.join('\n') };
  },
};

async function findObject(
  { client, pod }: VolumeContext,
  resource: string,
  { name, optional }: { readonly name: string; readonly optional: boolean },
): Promise<JsonObject | undefined> {
  try {
    return await client.send('GET', `/api/v1/namespaces/${pod.metadata.namespace}/${resource}/${name}`);
  } catch (error) {
    if (optional && error instanceof ApiError && error.code === 404) return undefined;
    throw error;
  }
}

function picked(files: Files, items: readonly KeyItem[] | undefined): Files {
  if (items === undefined) return files;
  return Object.fromEntries(
    items.map(({ key, path }) => {
      const file = files[key];
      if (file === undefined) throw new Error(`references non-existent key: ${key}`);
      return [path, file];
    }),
  );
}

/** Throws for a volume of another type. */
function sourcesOf({ name, secret, configMap, downwardAPI, projected, emptyDir }: Volume): readonly VolumeSources[] {
  if (projected !== undefined) return projected.sources;
  if (secret !== undefined) {
    const { secretName, ...others } = secret;
    return [{ secret: { ...others, name: secretName } }];
  }
  if (configMap !== undefined) return [{ configMap }];
  if (downwardAPI !== undefined) return [{ downwardAPI }];
  if (emptyDir !== undefined) return [];
  throw new Error(`the type of volume ${name} is not supported`);
}

/** Writes the volumes of a pod, each into a folder of its name. Throws if one cannot be written (yet). */
export async function writeVolumes(folder: string, context: VolumeContext): Promise<void> {
  for (const volume of context.pod.spec.volumes ?? []) {
    const target = join(folder, volume.name);
    await mkdir(target, { recursive: true });
    // Whoever the container runs as.
    await chmod(target, 0o777);
    for (const sources of sourcesOf(volume)) {
      const files = await filesOf(sources, context);
      for (const [path, data] of Object.entries(files)) {
        const file = join(target, normalize(`/${path}`));
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, data, { mode: 0o644 });
        if (path === sources.serviceAccountToken?.path) await protectToken(file, context.pod);
      }
    }
  }
}

/** Tokens are for those who the containers run as. */
async function protectToken(file: string, { spec }: Pod): Promise<void> {
  const { runAsUser, fsGroup } = spec.securityContext ?? {};
  await chown(file, runAsUser ?? 0, fsGroup ?? 0);
  if (fsGroup !== undefined) await chmod(file, 0o640);
  else if (runAsUser !== undefined) await chmod(file, 0o600);
}

async function filesOf(sources: VolumeSources, context: VolumeContext): Promise<Files> {
  const all: Files = {};
  for (const [name, source] of Object.entries(sources) as readonly (readonly [Source, unknown])[]) {
    // A row reads the source of its name.
    const read = readers[name] as ((source: unknown, context: VolumeContext) => Promise<Files>) | undefined;
    if (read === undefined) throw new Error(`the source ${name} of volumes is not supported`);
    Object.assign(all, await read(source, context));
  }
  return all;
}
