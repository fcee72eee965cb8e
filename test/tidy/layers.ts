/** The folders of `src/`, highest layer first. A file imports from its own folder or from a lower layer, never from its own layer's others. */
export const layers: readonly (readonly string[])[] = [
  ['cli', 'embed'],
  ['server'],
  ['http'],
  ['controllers'],
  ['operations'],
  [
    'authentication',
    'authorization',
    'admission',
    'audit',
    'flowcontrol',
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

export function folderOf(path: string): string | undefined {
  return /^src\/([^/]+)\//.exec(path)?.[1];
}

/** 0 is the highest. */
export function layerOf(folder: string): number | undefined {
  const index = layers.findIndex((layer) => layer.includes(folder));
  return index === -1 ? undefined : index;
}

/** Why a file of one folder may not import from another; undefined when it may. */
export function importFault(from: string, to: string): string | undefined {
  if (from === to) return undefined;
  const [fromLayer, toLayer] = [layerOf(from), layerOf(to)];
  if (fromLayer === undefined || toLayer === undefined) return `${fromLayer === undefined ? from : to}/ is in no layer`;
  if (toLayer === fromLayer) return `${from}/ and ${to}/ are of one layer`;
  return toLayer < fromLayer ? `${to}/ is above ${from}/` : undefined;
}
