/** A body and where to send it. */
export interface BodyCase {
  /** Unique: the key of the recorded responses. */
  readonly name: string;
  /** Where it is created, as a dry run. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly accept?: string;
  readonly method?: 'POST' | 'PATCH' | 'GET';
}

const namespaced = 'namespaces/bodies';

/** Paths by short name. */
export const paths = {
  configmap: `/api/v1/${namespaced}/configmaps`,
  secret: `/api/v1/${namespaced}/secrets`,
  pod: `/api/v1/${namespaced}/pods`,
  event: `/api/v1/${namespaced}/events`,
  deployment: `/apis/apps/v1/${namespaced}/deployments`,
  revision: `/apis/apps/v1/${namespaced}/controllerrevisions`,
  lease: `/apis/coordination.k8s.io/v1/${namespaced}/leases`,
  budget: `/apis/policy/v1/${namespaced}/poddisruptionbudgets`,
  autoscaler: `/apis/autoscaling/v2/${namespaced}/horizontalpodautoscalers`,
  gauge: `/apis/bodies.example.com/v1/${namespaced}/gauges`,
  meter: `/apis/bodies.example.com/v1/${namespaced}/meters`,
  tide: `/apis/bodies.example.com/v1/${namespaced}/tides`,
  sail: `/apis/bodies.example.com/v1/${namespaced}/sails`,
  definition: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
} as const;

export type Path = keyof typeof paths;

/** The placeholder in templates. */
const hole = '§';

/** A body with a placeholder, and the values for it. */
export interface Template {
  readonly path: Path;
  readonly text: string;
  readonly values: readonly string[];
}

export const yamlType = 'application/yaml';
export const jsonType = 'application/json';

/** One case per value. */
export function fillTemplates(templates: readonly Template[], contentType: string): BodyCase[] {
  return templates.flatMap(({ path, text, values }) =>
    values.map((value) => {
      const [before = '', after = ''] = text.split(hole);
      const name = `${before.slice(-shownBefore)}${hole}${after.slice(0, shownAfter)} = ${shown(Buffer.from(value))}`;
      return { ...bodyCase(path, before + value + after, contentType), name: `${path} ${name}` };
    }),
  );
}

/** This much context identifies a template. */
const shownBefore = 25;
const shownAfter = 5;

export function bodyCase(path: Path, text: string, contentType: string): BodyCase {
  return bytesCase(path, Buffer.from(text), contentType);
}

export function bytesCase(path: Path, bytes: Buffer, contentType: string): BodyCase {
  return { name: `${path} ${shown(bytes)}`, path: paths[path], bytes, contentType };
}

function shown(bytes: Buffer): string {
  return bytes.length > 300 ? `${bytes.toString('latin1', 0, 80)} (${bytes.length} bytes)` : bytes.toString('latin1');
}
