/**
 * A fenced block of a document. What follows the language in its first line says how it is run, and is not shown:
 *
 * | mark | meaning |
 * |---|---|
 * | (none) | `sh`, `js` and `ts` are run, anything else is only shown |
 * | `file=PATH` | it is the content of a file |
 * | `background=TEXT` | it goes on running; the next block begins when it has printed the text |
 * | `continues` | the block of code is run behind the ones before it, as one module |
 * | `fails` | the commands end with an error |
 * | `in=PROJECT` | the commands are run in a copy of this project of `examples/` |
 * | `output` | what the commands above print; `...` stands for anything within a line |
 * | `not-run="REASON"` | it cannot be run |
 *
 * Blocks within HTML comments are run too: they prepare what the document takes for granted.
 */
export interface Block {
  readonly language: string;
  readonly marks: ReadonlyMap<string, string>;
  readonly text: string;
  readonly line: number;
}

const fence = /^(?<indent> *)(?<ticks>`{3,})(?<info>.*)$/;

export function blocksOf(page: string): readonly Block[] {
  const lines = page.split('\n');
  const blocks: Block[] = [];
  for (let line = 0; line < lines.length; line++) {
    const { indent = '', ticks = '', info = '' } = fence.exec(lines[line] ?? '')?.groups ?? {};
    if (ticks === '') continue;
    const end = lines.indexOf(`${indent}${ticks}`, line + 1);
    if (end < 0) throw new Error(`line ${line + 1}: the block does not end`);
    const text = lines.slice(line + 1, end).map((each) => each.slice(indent.length));
    blocks.push({ ...labelled(info), text: `${text.join('\n')}\n`, line: line + 1 });
    line = end;
  }
  return blocks;
}

const knownMarks = new Set(['file', 'background', 'continues', 'output', 'fails', 'in', 'not-run']);

function labelled(info: string): Pick<Block, 'language' | 'marks'> {
  const [language = '', ...words] = info.match(/[^\s="]+(?:=(?:"[^"]*"|\S+))?/g) ?? [];
  const marks = words.map((word): readonly [string, string] => {
    const [name = '', value = ''] = word.split(/=(.*)/s);
    if (!knownMarks.has(name)) throw new Error(`there is no mark ${name}`);
    return [name, value.replaceAll('"', '')];
  });
  return { language, marks: new Map(marks) };
}

/** Whether lines are those that a document shows, in which `...` stands for anything; blanks may be more or fewer. */
export function isOutput(printed: string, shown: string): boolean {
  const lines = shown.trim().split('\n').map(linePattern);
  return new RegExp(`^\\s*${lines.join('\\n')}\\s*$`).test(printed.replaceAll(/[ \t]+$/gm, ''));
}

function linePattern(line: string): string {
  const words = line.trim().split(/\s+/);
  const any = (word: string): string => word.split('...').map(literal).join('.*');
  return `[ \\t]*${words.map(any).join('[ \\t]+')}`;
}

function literal(text: string): string {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}
