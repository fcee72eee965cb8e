import { JsonMembers, JsonNumber, type JsonTree } from '../api/json-tree.ts';

const stringEnd = /["\\]/g;
const numberText = /[-+0-9.eE]+/y;

/** The tree of a text that is known to be JSON: written order, duplicates, number literals. */
export function parseJsonTree(text: string): JsonTree {
  return new TreeParser(text).value();
}

class TreeParser {
  private readonly text: string;
  private position = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(): JsonTree {
    this.skipBlanks();
    switch (this.text[this.position]) {
      case '{':
        return this.members();
      case '[':
        return this.items();
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
        numberText.lastIndex = this.position;
        return this.number(numberText.exec(this.text)?.[0] ?? '0');
    }
  }

  private number(text: string): JsonNumber {
    this.position += text.length;
    return new JsonNumber(text);
  }

  private members(): JsonMembers {
    const keys: string[] = [];
    const values: JsonTree[] = [];
    this.position++;
    while (this.more('}')) {
      keys.push(this.string());
      this.skipBlanks();
      this.position++;
      values.push(this.value());
    }
    return new JsonMembers(keys, values);
  }

  private items(): JsonTree[] {
    const items: JsonTree[] = [];
    this.position++;
    while (this.more(']')) items.push(this.value());
    return items;
  }

  /** Steps over blanks and a comma; false after stepping over `end`. */
  private more(end: string): boolean {
    this.skipBlanks();
    if (this.text[this.position] === ',') {
      this.position++;
      this.skipBlanks();
    }
    if (this.text[this.position] !== end) return true;
    this.position++;
    return false;
  }

  private string(): string {
    const start = this.position;
    let end = start + 1;
    for (;;) {
      stringEnd.lastIndex = end;
      const match = stringEnd.exec(this.text);
      if (match === null) throw new Error('not JSON'); // only after JSON.parse has accepted the text
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
