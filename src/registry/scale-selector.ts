import { isJsonObject, type JsonValue } from '../api/json.ts';
import { formatLabelSelector, type LabelSelectorObject, selectorOfObject } from '../api/label-selector-object.ts';

/** The query form of what a scalable kind selects its pods by: a LabelSelector, a plain map of labels, or a text already. */
export function selectorText(selector: JsonValue | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const isLabelSelector = isJsonObject(selector['matchLabels']) || Array.isArray(selector['matchExpressions']);
  // Both shapes come decoded by their schema.
  const object = (isLabelSelector ? selector : { matchLabels: selector }) as LabelSelectorObject;
  return formatLabelSelector(selectorOfObject(object) ?? []);
}
