import { joinedErrors } from '../../api/text/error-texts.ts';
import { isJsonObject, type JsonObject } from '../../api/json/json.ts';
import type { CompiledExpression } from '../../cel/compile-expression.ts';
import { failureOf } from '../../cel/program/program.ts';
import { maxCallCost } from '../../cel/rules/limits.ts';
import { fromJson } from '../../cel/values/value.ts';

/** The first condition that is false excludes the review, even if others fail. */
export interface MatchResult {
  readonly matches: boolean;
  readonly error?: string;
}

export function matchConditions(conditions: readonly CompiledExpression[], spec: JsonObject): MatchResult {
  const request = fromJson(requestOf(spec));
  const errors: string[] = [];
  for (const { text, program } of conditions) {
    const evaluation = program.evaluate({ request }, maxCallCost);
    const failure = failureOf(evaluation);
    if (failure !== undefined) {
      errors.push(`cel evaluation error: expression '${text}' resulted in error: ${failure}`);
    } else if (evaluation.value === false) {
      return { matches: false };
    }
  }
  return errors.length === 0 ? { matches: true } : { matches: false, error: joinedErrors(errors) };
}

const resourceTexts = ['namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'];

/** The spec with empty strings for fields that are omitted on the wire: conditions may read them all. */
function requestOf({ user, groups, uid, extra, resourceAttributes, nonResourceAttributes }: JsonObject): JsonObject {
  return {
    user: user ?? '',
    groups: groups ?? [],
    uid: uid ?? '',
    extra: extra ?? {},
    ...(isJsonObject(resourceAttributes)
      ? {
          resourceAttributes: {
            ...empty(resourceTexts),
            ...resourceAttributes,
          },
        }
      : {}),
    ...(isJsonObject(nonResourceAttributes)
      ? {
          nonResourceAttributes: {
            ...empty(['verb', 'path']),
            ...nonResourceAttributes,
          },
        }
      : {}),
  };
}

function empty(names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, '']));
}
