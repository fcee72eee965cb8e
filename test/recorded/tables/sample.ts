import type { JsonObject } from '../../../src/api/json/json.ts';

/** An object to create in the reference and to record as a row. */
export interface Sample {
  /** `apps/v1/deployments`, `v1/pods`. */
  readonly resource: string;
  readonly name: string;
  /** Besides the name. */
  readonly metadata?: JsonObject;
  /** Fields besides `metadata`. */
  readonly body?: JsonObject;
  /** Set through the status subresource; several are set in sequence. */
  readonly status?: JsonObject | readonly JsonObject[];
  /** `status.conditions` set through the approval subresource. */
  readonly approval?: JsonObject[];
  /** Deleted last, but kept by a finalizer. */
  readonly deleted?: boolean;
  /** Whether the scale subresource is recorded too. */
  readonly scale?: boolean;
}

/** A sample of a given resource; its name defaults to one derived from the resource. */
export type SampleBody = Omit<Sample, 'resource' | 'name'> & { readonly name?: string };

/** Samples of one resource. */
export function samplesOf(resource: string, samples: readonly SampleBody[]): Sample[] {
  const singular = resource.slice(resource.lastIndexOf('/') + 1).replace(/s$/, '');
  return samples.map((sample, index) => ({ resource, name: `${singular}-${index + 1}`, ...sample }));
}

const startMs = Date.now();

/** A timestamp this many seconds before the recording. */
export function ago(seconds: number): string {
  return new Date(startMs - seconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
}

/** The time so many seconds ago, with microseconds. */
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
