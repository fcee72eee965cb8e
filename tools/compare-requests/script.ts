import type { JsonValue } from '../../src/api/json/json.ts';

/** How a body that is not a text is written. */
export type Form = 'json' | 'yaml' | 'protobuf' | 'cbor';

/** A request, or what a watch that an earlier step opened has sent. */
export interface Step {
  /** Unique within its script: the key of recorded answers. */
  readonly name: string;
  readonly method: string;
  /**
   * In it, in headers and in bodies `{{STEP|path.of.field}}` stands for a field of an earlier answer; one without a
   * body has the field `etag`, and `bare` without its quotes.
   */
  readonly path: string;
  /** A text is sent unchanged. */
  readonly body?: unknown;
  readonly form?: Form;
  /** Default: that of the form. */
  readonly contentType?: string;
  readonly accept?: string;
  readonly headers?: { readonly [name: string]: string };
  /** `nobody` has no certificate. */
  readonly as?: 'nobody';
  /** Retried until the answer contains this text: a controller or a cache has to act first. */
  readonly until?: string;
  /** Sent when a second begins: entries of owners are in the order of their times, which have no fractions. */
  readonly atSecond?: true;
  /** A cache has to notice the change before the next step; `slowly`: one that is refreshed now and then. */
  readonly settles?: true | 'slowly';
  /** The answer is its head; the stream stays open for `eventsOf`. */
  readonly open?: true;
  /** The answer is what the watch of that step has sent by then: at least so many events, or none for a while. */
  readonly eventsOf?: { readonly step: string; readonly count: number };
}

/** Steps in sequence, in namespaces and groups of their own. */
export interface Script {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** What is compared of a response. */
export interface StepResponse {
  readonly code: number;
  readonly headers: { readonly [name: string]: string | readonly string[] };
  readonly body: JsonValue;
}

/** A script from its steps; repeated step names are numbered. */
export function script(name: string, ...parts: readonly (Step | readonly Step[])[]): Script {
  const seen = new Map<string, number>();
  const steps = parts.flat().map((step) => {
    const count = (seen.get(step.name) ?? 0) + 1;
    seen.set(step.name, count);
    return count === 1 ? step : { ...step, name: `${step.name} (${count})` };
  });
  return { name, steps };
}
