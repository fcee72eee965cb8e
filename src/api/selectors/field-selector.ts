import { getOwn } from '../json/json.ts';
import { compareBytewise } from '../json/json-text.ts';
import { SelectorSyntaxError } from './label-selector.ts';

export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** All requirements must match; an empty selector matches everything. */
export type FieldSelector = readonly FieldRequirement[];

/** Parses `spec.nodeName=a,status.phase!=Running`, with `\\`, `\,` and `\=` escaped. Throws a SelectorSyntaxError. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text).toSorted(compareBytewise);
  const requirements = terms.filter((term) => term !== '').map((term) => parseTerm(text, term));
  // A bare `=` is ignored.
  return requirements.filter(({ field, value }) => field !== '' || value !== '');
}

/** `fields` holds the value of each selectable field of the kind. */
export function matchesFields(selector: FieldSelector, fields: { readonly [field: string]: string }): boolean {
  return selector.every(
    ({ field, operator, value }) => ((getOwn(fields, field) ?? '') === value) === (operator === '='),
  );
}

/** The value that the selector requires of a field, if any. */
export function requiredValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((requirement) => requirement.field === field && requirement.operator === '=')?.value;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === ',') {
      terms.push(text.slice(start, at));
      start = at + 1;
    }
  }
  terms.push(text.slice(start));
  return terms;
}

function parseTerm(selector: string, term: string): FieldRequirement {
  for (let at = 0; at < term.length; at += 1) {
    for (const operator of ['!=', '==', '='] as const) {
      if (!term.startsWith(operator, at)) continue;
      const value = unescape(term.slice(at + operator.length));
      return { field: term.slice(0, at), operator: operator === '!=' ? '!=' : '=', value };
    }
  }
  throw new SelectorSyntaxError(`invalid selector: '${selector}'; can't understand '${term}'`);
}

function unescape(value: string): string {
  let result = '';
  for (let at = 0; at < value.length; at += 1) {
    const char = value[at] ?? '';
    if (char === '\\') {
      const next = value[at + 1];
      if (next !== '\\' && next !== ',' && next !== '=') {
        throw new SelectorSyntaxError(`invalid field selector: invalid escape sequence: \\${next ?? ''}`);
      }
      result += next;
      at += 1;
    } else if (char === ',' || char === '=') {
      throw new SelectorSyntaxError(`invalid field selector: unescaped character in value: ${char.charCodeAt(0)}`);
    } else {
      result += char;
    }
  }
  return result;
}
