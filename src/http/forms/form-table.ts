import type { Form } from './form.ts';
import { objectForm } from './object-form.ts';
import { partialMetadataForm, partialMetadataListForm } from './partial-metadata-form.ts';
import { tableForm } from './table-form.ts';

/** What can be shown of objects; the first is for those who ask for nothing else. */
export const formTable: readonly Form[] = [objectForm, tableForm, partialMetadataForm, partialMetadataListForm];
