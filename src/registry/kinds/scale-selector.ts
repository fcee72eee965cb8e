import { isJsonObject, type JsonValue } from '../../api/json/json.ts';
import {
  formatLabelSelector,
  type LabelSelectorObject,
  selectorOfObject,
} from '../../api/selectors/label-selector-object.ts';

/** The query form of a scalable kind's selector: a LabelSelector, a map of labels, or already a string. */
export function selectorText(selector: JsonValue | undefined): string {
  if (typeof selector === 'string') return selector;
  if (!isJsonObject(selector)) return '';
  const isLabelSelector = isJsonObject(selector['matchLabels']) || Array.isArray(selector['matchExpressions']);
  // Both were decoded by their schema.
  const object = (isLabelSelector ? selector : { matchLabels: selector }) as LabelSelectorObject;
  return formatLabelSelector(selectorOfObject(object) ?? []);
}
