import type { Question, QuestionVariable } from './question.ts';
import { libraryCases } from './library-cases.ts';
import { objectCases } from './object-cases.ts';
import { standardCases } from './standard-cases.ts';
import { syntaxCases } from './syntax-cases.ts';
import { versionCases } from './version-cases.ts';

/** Variables that expressions may use when they say nothing else. */
const variables: { readonly [name: string]: QuestionVariable } = {
  d: { value: { a: 1, b: 'x', c: [1, 2, 'y'], e: { f: true, g: null }, n: 1.5, big: 5000000000 } },
  l: { value: [1, 2, 3] },
  s: { value: 'text' },
  n: { value: null },
};

/** All questions, each once. */
export function allCases(): readonly Question[] {
  const questions = [
    ...[...standardCases(), ...libraryCases(), ...syntaxCases()].map((expression) => ({ expression, variables })),
    ...objectCases(),
    ...versionCases(),
  ];
  const known = new Set<string>();
  return questions.filter((question) => {
    const key = JSON.stringify(question);
    if (known.has(key)) return false;
    known.add(key);
    return true;
  });
}
