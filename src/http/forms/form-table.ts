import type { Form } from './form.ts';
import { objectForm } from './object-form.ts';
import { partialMetadataForm, partialMetadataListForm } from './partial-metadata-form.ts';
import { tableForm } from './table-form.ts';

/** The forms of objects; the first is the default. */
export const formTable: readonly Form[] = [objectForm, tableForm, partialMetadataForm, partialMetadataListForm];
