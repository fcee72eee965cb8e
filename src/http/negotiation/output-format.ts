import type { Encoding } from '../forms/encoding.ts';
import type { Form } from '../forms/form.ts';
import { jsonEncoding } from '../forms/json-encoding.ts';
import { objectForm } from '../forms/object-form.ts';

/** The wire form of an answer, as the client asked for it. */
export interface OutputFormat {
  readonly encoding: Encoding;
  readonly form: Form;
  /** Of the group of the form; without meaning for objects themselves. */
  readonly version: string;
  readonly pretty: boolean;
}

/** Of answers that have one form. */
export const plainJson: OutputFormat = { encoding: jsonEncoding, form: objectForm, version: 'v1', pretty: false };
export const indentedJson: OutputFormat = { ...plainJson, pretty: true };
