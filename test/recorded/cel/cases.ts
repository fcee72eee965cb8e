import { edgeCases } from './edge-cases.ts';
import { libraryCases } from './library-cases.ts';
import { objectCases } from './object-cases.ts';
import type { Question } from './question.ts';
import { standardCases } from './standard-cases.ts';
import { syntaxCases } from './syntax-cases.ts';
import { typeCases } from './type-cases.ts';
import { versionCases } from './version-cases.ts';

/** How many similar cases there are for each one that is recorded. */
const every = 3;

/** Forms of types are many more. A prime number, so that each form is recorded of some types. */
const everyType = 17;

/** All questions, without duplicates. */
export function allCases(): readonly Question[] {
  const plain = [...syntaxCases(), ...thinned([...standardCases(), ...libraryCases()])];
  const questions = [
    ...plain.map((expression) => ({ setting: 'plain', expression })),
    ...edgeCases(),
    ...objectCases(),
    ...versionCases(),
    ...typeCases().filter((_, index) => index % everyType === 0),
  ];
  const byText = new Map(questions.map((question) => [JSON.stringify(question), question] as const));
  return [...byText.values()];
}

function thinned(expressions: readonly string[]): readonly string[] {
  return expressions.filter((_, index) => index % every === 0);
}
