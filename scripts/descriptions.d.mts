/** Texts of each class (`V1Pod`) by field; the text of the class itself is that of the field ''. */
export function readDescriptions(folder?: string): { readonly [name: string]: { readonly [field: string]: string } };
