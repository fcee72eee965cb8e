import { goQuoteList } from '../../api/go/go-quote.ts';
import { compareBytewise } from '../../api/json/json-text.ts';
import type { SingleRule } from './rule-coverage.ts';

/** The list of missing permissions in refusals: one line per resource, with all missing verbs. */
export function missingRulesText(missing: readonly SingleRule[]): string {
  const verbsOf = new Map<string, string[]>();
  const lines = new Set<string>();
  for (const rule of missing) {
    if (rule.path !== undefined) {
      lines.add(`{NonResourceURLs:${goQuoteList([rule.path])}, Verbs:${goQuoteList([rule.verb])}}`);
      continue;
    }
    const what = thingText(rule);
    const verbs = verbsOf.get(what) ?? [];
    verbs.push(rule.verb);
    verbsOf.set(what, verbs);
  }
  for (const [what, verbs] of verbsOf) lines.add(`{${what}, Verbs:${goQuoteList(verbs)}}`);
  return [...lines].toSorted(compareBytewise).join('\n');
}

function thingText({ apiGroup = '', resource = '', resourceName }: SingleRule): string {
  const thing = `APIGroups:${goQuoteList([apiGroup])}, Resources:${goQuoteList([resource])}`;
  return resourceName === undefined ? thing : `${thing}, ResourceNames:${goQuoteList([resourceName])}`;
}
