import { isJsonObject, type JsonObject } from '../../../api/json/json.ts';
import { changed, inSpec } from '../../parts/conversions/changed.ts';

const matchNobody = 'pdb.kubernetes.io/deprecated-v1beta1-empty-selector-match';

export const budgetFromBeta1 = inSpec((spec) => changed(spec, 'selector', budgetSelector));

/**
 * In v1beta1 an empty selector matched no pods, and one that required the absence of a certain unused label matched
 * all.
 */
function budgetSelector(selector: JsonObject): JsonObject {
  const { matchLabels, matchExpressions } = selector;
  const expressions = Array.isArray(matchExpressions) ? matchExpressions : [];
  const isAboutLabels = isJsonObject(matchLabels) && Object.keys(matchLabels).length > 0;
  if (!isAboutLabels && expressions.length === 0)
    return { matchExpressions: [{ key: matchNobody, operator: 'Exists' }] };
  const rest = expressions.filter((each) => !isJsonObject(each) || each['key'] !== matchNobody);
  if (rest.length === expressions.length) return selector;
  const { matchExpressions: _, ...others } = selector;
  return rest.length === 0 ? others : { ...others, matchExpressions: rest };
}
