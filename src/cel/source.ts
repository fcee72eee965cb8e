// The source of an expression, and its compile errors as clients see them.

/** An error at a position; without one it concerns the whole expression. */
export interface Issue {
  /** Offset in UTF-16 units. */
  readonly at: number | undefined;
  readonly message: string;
}

const description = '<input>';
/** Longer lines are not quoted. */
const maxSnippetBytes = 16_384;
const maxIssues = 100;

interface Position {
  /** From 1. */
  readonly line: number;
  /** From 0, in code points. */
  readonly column: number;
}

/** Thrown when an expression does not compile; the message quotes the line of each issue. */
export class CelCompileError extends Error {
  override readonly name = 'CelCompileError';
  readonly code = 'cel-compile';
  readonly issues: readonly Issue[];

  constructor(text: string, issues: readonly Issue[]) {
    super(issuesText(text, issues));
    this.issues = issues;
  }
}

/** `ERROR: <input>:1:5: undeclared reference ...`, with the line and a caret. */
function issuesText(text: string, issues: readonly Issue[]): string {
  const lines = text.split('\n');
  const placed = issues
    .slice(0, maxIssues)
    .map((issue) => ({ issue, place: placeOf(text, issue.at) }))
    .sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const shown = placed.map(({ issue, place }) => issueText(issue.message, place, lines[place.line - 1]));
  if (issues.length > maxIssues) shown.push(`${issues.length - maxIssues} more errors were truncated`);
  return shown.join('\n');
}

function placeOf(text: string, at: number | undefined): Position {
  if (at === undefined) return { line: -1, column: -1 };
  // An empty source has no first column.
  if (text === '') return { line: 1, column: -1 };
  const before = text.slice(0, at);
  const line = before.split('\n');
  return { line: line.length, column: codePointCount(line.at(-1) ?? '') };
}

function issueText(message: string, { line, column }: Position, content: string | undefined): string {
  const head = `ERROR: ${description}:${line}:${column + 1}: ${message}`;
  if (content === undefined || Buffer.byteLength(content) > maxSnippetBytes) return head;
  const points = [...content.replaceAll('\t', ' ')];
  const dots = points.slice(0, column).map((point) => (isWide(point) ? '\uff0e' : '.'));
  const mark = isWide(points[column] ?? '') ? '\uff3e' : '^';
  return column < 0 ? head : `${head}\n | ${points.join('')}\n | ${dots.join('')}${mark}`;
}

function isWide(point: string): boolean {
  return (point.codePointAt(0) ?? 0) > 0x7f;
}

/** Texts of Latin letters are not even searched for it: V8 keeps those in one byte per letter. */
const surrogate = /[\ud800-\udbff]/;

/** Number of code points: CEL's size of a string. */
export function codePointCount(text: string): number {
  let count = text.length;
  if (!surrogate.test(text)) return count;
  for (let index = 1; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) !== 0xdc00) continue;
    if ((text.charCodeAt(index - 1) & 0xfc00) === 0xd800) count -= 1;
  }
  return count;
}
