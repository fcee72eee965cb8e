import type { JsonObject } from '../../src/api/json.ts';

/** One object to create on the reference and to record as a row. */
export interface Sample {
  /** `apps/v1/deployments`, `v1/pods`. */
  readonly resource: string;
  readonly name: string;
  /** Beyond the name. */
  readonly metadata?: JsonObject;
  /** Fields beside `metadata`. */
  readonly body?: JsonObject;
  /** Set through the status subresource; several one after the other. */
  readonly status?: JsonObject | readonly JsonObject[];
  /** `status.conditions` set through the approval subresource. */
  readonly approval?: JsonObject[];
  /** Deleted after all else; a finalizer keeps it. */
  readonly deleted?: boolean;
  /** Records the scale subresource too. */
  readonly scale?: boolean;
}

/** A sample of a known resource; its name is made from that of the resource when absent. */
export type SampleBody = Omit<Sample, 'resource' | 'name'> & { readonly name?: string };

/** Samples of one resource. */
export function samplesOf(resource: string, samples: readonly SampleBody[]): Sample[] {
  const singular = resource.slice(resource.lastIndexOf('/') + 1).replace(/s$/, '');
  return samples.map((sample, index) => ({ resource, name: `${singular}-${index + 1}`, ...sample }));
}

const startMs = Date.now();

/** A timestamp so many seconds before the recording. */
export function ago(seconds: number): string {
  return new Date(startMs - seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The same as a timestamp in microseconds. */
export function microAgo(seconds: number): string {
  return ago(seconds).replace('Z', '.000000Z');
}

export const minute = 60;
export const hour = 60 * minute;
export const day = 24 * hour;

/** A pod template for a workload. */
export function podTemplate(images: readonly string[], spec: JsonObject = {}): JsonObject {
  return {
    metadata: { labels: { app: 'web' } },
    spec: { containers: images.map((image, index) => ({ name: `c${index}`, image })), ...spec },
  };
}

export const webSelector: JsonObject = { matchLabels: { app: 'web' } };
