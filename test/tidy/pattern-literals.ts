import { join } from 'node:path';
import { parseAst } from 'vitest/node';
import { readText, root } from './sources.ts';

/** A pattern in a source file. */
export interface WrittenPattern {
  readonly source: string;
  readonly flags: string;
}

interface FilePatterns {
  readonly literals: readonly WrittenPattern[];
  /** Lines with patterns constructed in functions. */
  readonly late: readonly number[];
  /** Whether patterns are constructed while the file is loaded. */
  readonly early: boolean;
}

/** Imports and comments. */
const notCode = /^(?:import .*|\} from .*|export .* from .*|\s*\/\/.*|\s*\/\*\*.*|\s*\* .*|\s*\*\/)$/gm;

/** The patterns of a file. */
export function patternsIn(path: string): FilePatterns {
  const text = readText(path) ?? '';
  // To parse it takes much longer.
  if (!/\/|RegExp/.test(text.replaceAll(notCode, ''))) return { literals: [], late: [], early: false };
  const literals: WrittenPattern[] = [];
  const late: number[] = [];
  let early = false;
  const visit = (node: unknown, inFunction: boolean): void => {
    if (typeof node !== 'object' || node === null) return;
    if (isLiteral(node)) literals.push({ source: node.regex.pattern, flags: node.regex.flags });
    if (isConstruction(node)) {
      if (inFunction) late.push(text.slice(0, node.start).split('\n').length);
      else early = true;
    }
    for (const inner of Object.values(node)) visit(inner, inFunction || isFunction(node));
  };
  visit(parseAst(text, { lang: 'ts' }, path), false);
  return { literals, late, early };
}

/** The patterns constructed from constants while a file is loaded, including by its imports. */
export async function patternsMadeBy(paths: readonly string[]): Promise<readonly WrittenPattern[]> {
  const made: WrittenPattern[] = [];
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct(target, args, newTarget: typeof RegExp) {
      const pattern = Reflect.construct(target, args, newTarget) as RegExp; // constructed by RegExp itself
      made.push({ source: pattern.source, flags: pattern.flags });
      return pattern;
    },
  });
  try {
    // Once more, if other tests have loaded them already.
    for (const path of paths) await import(`${join(root, path)}?fresh`);
  } finally {
    globalThis.RegExp = original;
  }
  return made;
}

interface Literal {
  readonly regex: { readonly pattern: string; readonly flags: string };
}

function isLiteral(node: object): node is Literal {
  return 'regex' in node && typeof node.regex === 'object' && node.regex !== null;
}

function isFunction(node: object): boolean {
  return 'type' in node && typeof node.type === 'string' && node.type.includes('Function');
}

/** `new RegExp(...)` or `RegExp(...)`. */
function isConstruction(node: object): node is { readonly start: number } {
  const { type, callee } = node as { readonly type?: unknown; readonly callee?: { readonly name?: unknown } };
  return (type === 'NewExpression' || type === 'CallExpression') && callee?.name === 'RegExp';
}
