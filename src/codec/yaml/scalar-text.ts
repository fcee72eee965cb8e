/** Pieces that are joined at a time: joined all at once, a million of them take long. */
const joinedPieces = 1_000;

/** The text of a scalar or tag while it is read: pieces, and ranges of the source, of which adjacent ones are one. */
export class ScalarText {
  private readonly source: string;
  /** The last piece, a range. */
  private from = 0;
  private to = 0;
  /** Those before it, if there are any. */
  private pieces: string[] | undefined;
  private joined: string[] | undefined;

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
    this.push(text);
  }

  toString(): string {
    const { source, from, to, pieces = [], joined = [] } = this;
    const last = source.slice(from, to);
    return this.pieces === undefined ? last : [...joined, ...pieces, last].join('');
  }

  private endRange(): void {
    const { from, to } = this;
    if (from === to) return;
    this.from = to;
    this.push(this.source.slice(from, to));
  }

  private push(piece: string): void {
    this.pieces ??= [];
    if (this.pieces.push(piece) < joinedPieces) return;
    this.joined ??= [];
    this.joined.push(this.pieces.join(''));
    this.pieces = [];
  }
}
