import { type FieldSelector, parseFieldSelector } from './field-selector.ts';
import { type LabelSelector, parseLabelSelector, SelectorSyntaxError } from './label-selector.ts';

// Selectors as authorizers see them: what cannot be parsed does not restrict.

export function readableFieldSelector(text: string): FieldSelector {
  return readable(() => parseFieldSelector(text));
}

export function readableLabelSelector(text: string): LabelSelector {
  return readable(() => parseLabelSelector(text));
}

function readable<T>(parse: () => readonly T[]): readonly T[] {
  try {
    return parse();
  } catch (error) {
    if (error instanceof SelectorSyntaxError) return [];
    throw error;
  }
}
