import type { JsonObject } from '../../src/api/json/json.ts';
import type { Form } from '../compare-requests/script.ts';

/**
 * A request of a play. In its texts, `{{version}}`, `{{uid}}`, `{{list}}` and `{{continue}}` stand for what the server
 * answered last.
 */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly headers?: { readonly [name: string]: string };
  readonly contentType?: string;
  /** An object is written in the form; a text is sent unchanged. */
  readonly body?: unknown;
  readonly form?: Form;
  /** The body is what a GET of this path returns, with this change. */
  readonly edit?: { readonly path: string; readonly change: (object: JsonObject) => JsonObject };
}
