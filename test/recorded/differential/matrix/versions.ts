/** The versions of the set-up, in ascending order, and how they are shown in responses. */
export class Versions {
  readonly #known: { readonly name: string; readonly revision: number }[] = [];

  add(name: string, revision: number): void {
    this.#known.push({ name, revision });
  }

  get(name: string): number {
    const found = this.#known.find((version) => version.name === name);
    if (found === undefined) throw new Error(`no version ${name}`);
    return found.revision;
  }

  /** A number relative to the known versions: `N`, `after N`, `latest` ... */
  nameOf(text: string): string {
    const revision = Number(text);
    const at = this.#known.findLast((version) => version.revision <= revision);
    if (at === undefined) return 'before';
    if (at.name === 'latest' || at.name === 'future') return at.name;
    return at.revision === revision ? at.name : `after ${at.name}`;
  }

  /** Numbers in a sentence that may be versions. */
  inText(text: string): string {
    return text.replace(/(?<![\w.])\d+(?![\w.])/g, (digits) => `<${this.nameOf(digits)}>`);
  }
}
