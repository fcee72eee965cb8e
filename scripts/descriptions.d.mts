type Texts = { readonly [name: string]: string };

export function readDescriptions(): {
  /** Texts of each class (`V1Pod`) by field; the text of the class itself is that of the field ''. */
  readonly types: { readonly [name: string]: Texts };
  /** By topic, which is the name of most parameters. */
  readonly parameters: Texts;
};
