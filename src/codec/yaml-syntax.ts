import type { YAMLException } from 'js-yaml';

// Words of the reference's YAML parser for what ours refuses: the same for common mistakes, near for others.

interface SyntaxProblem {
  /** What our parser says. */
  readonly ours: RegExp;
  readonly theirs: string;
  /** Theirs comes from the scanner, which counts lines from 1 where the parser counts from 0. */
  readonly scanner: boolean;
}

const syntaxProblems: readonly SyntaxProblem[] = [
  { ours: /tab characters must not be used/, theirs: 'found character that cannot start any token', scanner: true },
  { ours: /bad indentation of a sequence entry/, theirs: "did not find expected '-' indicator", scanner: false },
  { ours: /multiline key|expected ':' after a mapping key/, theirs: "could not find expected ':'", scanner: true },
  { ours: /within a (single|double) quoted scalar/, theirs: 'found unexpected end of stream', scanner: true },
  { ours: /unknown escape sequence/, theirs: 'found unknown escape character', scanner: true },
  { ours: /non-printable characters/, theirs: 'control characters are not allowed', scanner: true },
  { ours: /bad indentation of a mapping|document separator/, theirs: 'did not find expected key', scanner: false },
];

/** The reference's message for an error of our parser. */
export function syntaxMessage(text: string, { reason, mark }: YAMLException): string {
  const position = mark?.position ?? 0;
  const problem =
    problemAt(text, position) ??
    flowProblem(text.slice(0, position), reason) ??
    syntaxProblems.find(({ ours }) => ours.test(reason));
  const { theirs = reason, scanner = true } = problem ?? {};
  const line = mark?.line ?? 0;
  if (!scanner) return `yaml: line ${Math.max(line, 1)}: ${theirs}`;
  return line === 0 ? `yaml: ${theirs}` : `yaml: line ${line + 1}: ${theirs}`;
}

/** Problems that the character tells at which our parser stopped. */
function problemAt(text: string, position: number): Omit<SyntaxProblem, 'ours'> | undefined {
  const rest = text.slice(position);
  if (/^[\t`@%]/.test(rest)) return { theirs: 'found character that cannot start any token', scanner: true };
  if (/^\?(?:\s|$)/.test(rest)) return { theirs: 'mapping keys are not allowed in this context', scanner: true };
  if (/^-(?:\s|$)/.test(rest) && /:[ \t]+$/.test(text.slice(0, position))) {
    return { theirs: 'block sequence entries are not allowed in this context', scanner: true };
  }
  if (/^(?:[^\n#]*[^\s])?:(?:\s|$)/.test(rest) && /:\s+\S*$/.test(text.slice(0, position))) {
    return { theirs: 'mapping values are not allowed in this context', scanner: true };
  }
  return undefined;
}

/** An unclosed flow collection: theirs names the bracket that is missing. */
function flowProblem(text: string, reason: string): Omit<SyntaxProblem, 'ours'> | undefined {
  if (!/within a flow collection|missed comma|deficient indentation/.test(reason)) return undefined;
  const bracket = text.lastIndexOf('{') > text.lastIndexOf('[') ? '}' : ']';
  return { theirs: `did not find expected ',' or '${bracket}'`, scanner: false };
}
