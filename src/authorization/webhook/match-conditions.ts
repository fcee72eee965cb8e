import { joinedErrors } from '../../api/error-texts.ts';
import { isJsonObject, type JsonObject } from '../../api/json.ts';
import { failureOf, type Program } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { fromJson } from '../../cel/values/value.ts';

export interface MatchCondition {
  readonly expression: string;
  readonly program: Program;
}

/** The first condition that does not hold excludes the review, whatever fails beside it. */
export interface MatchResult {
  readonly matches: boolean;
  readonly error?: string;
}

export function matchConditions(conditions: readonly MatchCondition[], spec: JsonObject): MatchResult {
  const request = fromJson(requestOf(spec));
  const errors: string[] = [];
  for (const { expression, program } of conditions) {
    const evaluation = program.evaluate({ request }, maxCallCost);
    const failure = failureOf(evaluation);
    if (failure !== undefined) {
      errors.push(`cel evaluation error: expression '${expression}' resulted in error: ${failure}`);
    } else if (evaluation.value === false) {
      return { matches: false };
    }
  }
  return errors.length === 0 ? { matches: true } : { matches: false, error: joinedErrors(errors) };
}

const resourceTexts = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

/** The spec with what it leaves out when it is sent: conditions may read every text. */
function requestOf({ user, groups, uid, extra, resourceAttributes, nonResourceAttributes }: JsonObject): JsonObject {
  return {
    ...{ user: user ?? '', groups: groups ?? [], uid: uid ?? '', extra: extra ?? {} },
    ...(isJsonObject(resourceAttributes)
      ? { resourceAttributes: { ...empty(resourceTexts), ...resourceAttributes } }
      : {}),
    ...(isJsonObject(nonResourceAttributes)
      ? { nonResourceAttributes: { ...empty(['verb', 'path']), ...nonResourceAttributes } }
      : {}),
  };
}

function empty(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, '']));
}
