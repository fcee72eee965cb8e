import type { Issue } from '../source.ts';
import type { LexicalError, Token } from './token.ts';

export function syntaxIssues(tokens: readonly Token[], errors: readonly LexicalError[]): readonly Issue[] {
  return [
    ...errors.map(({ at, text }) => ({ at, message: `Syntax error: token recognition error at: '${text}'` })),
    ...(errors.length > 0 ? [] : [{ at: tokens.at(-1)?.at, message: 'Syntax error' }]),
  ];
}
