import type { Encoding } from '../forms/encoding.ts';
import type { Form } from '../forms/form.ts';
import { jsonEncoding } from '../forms/json-encoding.ts';
import { objectForm } from '../forms/object-form.ts';

/** The negotiated wire form of a response. */
export interface OutputFormat {
  readonly encoding: Encoding;
  readonly form: Form;
  /** The version of the form's group; unused for the object itself. */
  readonly version: string;
  readonly pretty: boolean;
}

/** For responses that have a single form. */
export const plainJson: OutputFormat = { encoding: jsonEncoding, form: objectForm, version: 'v1', pretty: false };
export const indentedJson: OutputFormat = { ...plainJson, pretty: true };
