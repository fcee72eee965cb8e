import { JsonMembers, JsonNumber, type JsonTree } from '../api/json/json-tree.ts';

const stringEnd = /["\\]/g;
const numberText = /[-+0-9.eE]+/y;

/**
 * Builds the tree of a text known to be JSON: source order, duplicates, number literals. Iterative: texts may nest
 * deeply.
 */
export function parseJsonTree(text: string): JsonTree {
  return new TreeParser(text).parse();
}

/** An object or array that is not complete yet. */
interface Open {
  /** The keys of an object; arrays have none. */
  readonly keys: string[] | undefined;
  readonly values: JsonTree[];
  readonly start: number;
}

class TreeParser {
  private readonly text: string;
  private position = 0;
  private readonly open: Open[] = [];

  constructor(text: string) {
    this.text = text;
  }

  parse(): JsonTree {
    for (;;) {
      let value = this.begin();
      for (;;) {
        const top = this.open.at(-1);
        if (value !== undefined) {
          if (top === undefined) return value;
          top.values.push(value);
        }
        if (top === undefined || this.more(top)) break;
        this.open.pop();
        value = this.finished(top);
      }
    }
  }

  /** Reads a scalar, or opens an object or array and returns undefined. */
  private begin(): JsonTree | undefined {
    this.skipBlanks();
    const start = this.position;
    switch (this.text[start]) {
      case '{':
      case '[':
        this.open.push({ keys: this.text[start] === '{' ? [] : undefined, values: [], start });
        this.position++;
        return undefined;
      case '"':
        return this.string();
      case 't':
        this.position += 4;
        return true;
      case 'f':
        this.position += 5;
        return false;
      case 'n':
        this.position += 4;
        return null;
      default:
        numberText.lastIndex = start;
        return this.number(numberText.exec(this.text)?.[0] ?? '0');
    }
  }

  private number(text: string): JsonNumber {
    this.position += text.length;
    return new JsonNumber(text);
  }

  private finished({ keys, values, start }: Open): JsonTree {
    if (keys === undefined) return values;
    return new JsonMembers(keys, values, { text: this.text, start, end: this.position });
  }

  /** Skips spaces, a comma and a key up to the next value; false after the closing bracket. */
  private more({ keys }: Open): boolean {
    this.skipBlanks();
    if (this.text[this.position] === ',') {
      this.position++;
      this.skipBlanks();
    }
    if (this.text[this.position] === (keys === undefined ? ']' : '}')) {
      this.position++;
      return false;
    }
    if (keys !== undefined) {
      keys.push(this.string());
      this.skipBlanks();
      this.position++;
    }
    return true;
  }

  private string(): string {
    const start = this.position;
    let end = start + 1;
    for (;;) {
      stringEnd.lastIndex = end;
      const match = stringEnd.exec(this.text);
      if (match === null) throw new Error('not JSON'); // called only after JSON.parse has accepted the text
      end = match.index + 1;
      if (match[0] === '"') break;
      end++;
    }
    this.position = end;
    // JSON.parse accepted the whole, so it accepts the part; lone surrogates become U+FFFD as in Go.
    return (JSON.parse(this.text.slice(start, end)) as string).toWellFormed();
  }

  private skipBlanks(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.position++;
    }
  }
}
