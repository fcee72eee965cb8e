import type { JsonValue } from '../../src/api/json/json.ts';

/** A request, and what is recorded of its response; repeated until that is as expected. */
export interface Step {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly body?: JsonValue;
  readonly contentType?: string;
  readonly headers?: { readonly [name: string]: string };
  /** The part of the body that is compared; absent: the whole answer. */
  readonly pick?: (body: JsonValue) => JsonValue;
  readonly until?: (picked: JsonValue) => boolean;
}
