/** The text of a scalar or tag while it is read: pieces, and ranges of the source, of which adjacent ones are one. */
export class ScalarText {
  private readonly source: string;
  private text = '';
  /** The last piece, a range. */
  private from = 0;
  private to = 0;

  constructor(source: string) {
    this.source = source;
  }

  addRange(start: number, end: number): void {
    if (start !== this.to) {
      this.endRange();
      this.from = start;
    }
    this.to = end;
  }

  /** What the source has there, or should have. */
  addBreak(text: string, at: number): void {
    if (this.source.startsWith(text, at)) this.addRange(at, at + text.length);
    else this.addPiece(text);
  }

  addPiece(text: string): void {
    if (text === '') return;
    this.endRange();
    this.text += text;
  }

  toString(): string {
    this.endRange();
    return this.text;
  }

  private endRange(): void {
    this.text += this.source.slice(this.from, this.to);
    this.from = this.to;
  }
}
