/**
 * The folders of `src/`, highest layer first. A file imports only from its own folder or from lower layers, never from
 * others in its own layer.
 */
export const layers: readonly (readonly string[])[] = [
  ['fixtures'],
  ['embed'],
  ['cli'],
  ['server'],
  ['metrics'],
  ['http'],
  ['services'],
  ['system'],
  ['client'],
  ['scopes'],
  ['controllers'],
  ['operations'],
  [
    'authentication',
    'authorization',
    'admission',
    'audit',
    'encryption',
    'flowcontrol',
    'profiling',
    'tracing',
    'extensions',
    'aggregation',
    'discovery',
    'openapi',
    'resources',
  ],
  ['catalogue'],
  ['registry'],
  ['fieldmanagement', 'patch', 'cel', 'watchcache', 'outgoing'],
  ['storage', 'codec'],
  ['schema'],
  ['api'],
];

/** Layers within a folder: a subfolder imports only from itself or from lower ones. */
const foldersWithin: { readonly [folder: string]: readonly (readonly string[])[] } = {
  api: [
    ['contracts'],
    ['validation', 'selectors', 'client'],
    ['scheduling', 'metrics', 'errors'],
    ['time', 'meta'],
    ['json', 'values'],
    ['go'],
    ['collections', 'text', 'bytes'],
  ],
  http: [
    ['routes'],
    ['verbs', 'virtual', 'connect'],
    ['pipeline', 'stages'],
    ['responses', 'proxy'],
    ['request'],
    ['negotiation', 'handover'],
    ['forms', 'transport'],
  ],
  registry: [['write'], ['read'], ['stored'], ['kinds']],
};

/** Why a file may not import another one in the same folder of `src/`; undefined if it may. */
export function inwardFault(from: string, to: string): string | undefined {
  const [folder, inner] = partsOf(from);
  const [otherFolder, otherInner] = partsOf(to);
  const within = foldersWithin[folder ?? ''];
  if (within === undefined || folder !== otherFolder || inner === otherInner) return undefined;
  const [fromLayer, toLayer] = [inner, otherInner].map((name) => within.findIndex((row) => row.includes(name ?? '')));
  if (fromLayer === undefined || toLayer === undefined || fromLayer < 0 || toLayer < 0) {
    return `${fromLayer === -1 ? from : to} is in no folder of ${folder}/ that has a place`;
  }
  return fromLayer < toLayer ? undefined : `${otherInner}/ is not below ${inner}/`;
}

/** `http` and `verbs` of `src/http/verbs/get.ts`. */
function partsOf(path: string): readonly (string | undefined)[] {
  return /^src\/([^/]+)\/(?:([^/]+)\/)?/.exec(path)?.slice(1) ?? [];
}

export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** 0 is the highest. */
export function layerOf(folder: string): number | undefined {
  const index = layers.findIndex((layer) => layer.includes(folder));
  return index === -1 ? undefined : index;
}

/** Why a file in one folder may not import from another; undefined if it may. */
export function importFault(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
  if (fromLayer === undefined || toLayer === undefined) return `${fromLayer === undefined ? from : to}/ is in no layer`;
  if (toLayer === fromLayer) return `${from}/ and ${to}/ are of one layer`;
  return toLayer < fromLayer ? `${to}/ is above ${from}/` : undefined;
}
