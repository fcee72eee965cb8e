import type { LogSite } from '../../api/contracts/log.ts';

/** Verbosity of files whose names match, without folder and suffix: `*`, `?` and `[a-z]` as in Go's filepath.Match. */
export interface ModuleVerbosity {
  readonly pattern: string;
  readonly verbosity: number;
}

/** What `-v` and `--vmodule` let through. `-v` can be changed while the server runs. */
export class Verbosity {
  #level: number;
  #changed: (level: number) => void = () => undefined;
  readonly #modules: readonly { readonly matches: (name: string) => boolean; readonly verbosity: number }[];
  readonly #bySite = new WeakMap<LogSite, number>();

  constructor(level: number, modules: readonly ModuleVerbosity[]) {
    this.#level = level;
    this.#modules = modules
      .filter(({ verbosity }) => verbosity > 0)
      .map(({ pattern, verbosity }) => ({ matches: matcherOf(pattern), verbosity }));
  }

  get level(): number {
    return this.#level;
  }

  set level(level: number) {
    this.#level = level;
    this.#changed(level);
  }

  /** `changed` is called with what is set from now on. */
  follow(changed: (level: number) => void): void {
    this.#changed = changed;
  }

  enabled(verbosity: number, site: LogSite): boolean {
    if (verbosity <= this.#level) return true;
    return this.#modules.length > 0 && verbosity <= this.#ofModule(site);
  }

  /** The verbosity of the first pattern that matches. */
  #ofModule(site: LogSite): number {
    const known = this.#bySite.get(site);
    if (known !== undefined) return known;
    const name = fileName(site).replace(/\.ts$/, '');
    const found = this.#modules.find(({ matches }) => matches(name))?.verbosity ?? 0;
    this.#bySite.set(site, found);
    return found;
  }
}

/** Without its folder. */
export function fileName({ file }: LogSite): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** A pattern that is malformed matches nothing. */
function matcherOf(pattern: string): (name: string) => boolean {
  const parts = partsOf(pattern);
  return parts === undefined ? () => false : (name) => matchesAll(parts, name);
}

type Part = '*' | ((character: string) => boolean);

function partsOf(pattern: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === '*') parts.push('*');
    else if (character === '?') parts.push(() => true);
    else if (character === '[') {
      const set = setAt(pattern, at);
      if (set === undefined) return undefined;
      parts.push(set.matches);
      at = set.end;
    } else {
      if (character === '\\') at += 1;
      const wanted = pattern.charAt(at);
      if (wanted === '') return undefined;
      parts.push((one) => one === wanted);
    }
  }
  return parts;
}

/** `[a-z]` or `[^a-z]`. */
function setAt(
  pattern: string,
  start: number,
): { readonly matches: Exclude<Part, '*'>; readonly end: number } | undefined {
  const isNegated = pattern.charAt(start + 1) === '^';
  const ranges: { readonly low: string; readonly high: string }[] = [];
  let at = start + (isNegated ? 2 : 1);
  const next = (): string => {
    if (pattern.charAt(at) === '\\') at += 1;
    return pattern.charAt(at++);
  };
  while (pattern.charAt(at) !== ']' || ranges.length === 0) {
    if (at >= pattern.length || '-]'.includes(pattern.charAt(at))) return undefined;
    const low = next();
    let high = low;
    if (pattern.charAt(at) === '-') {
      at += 1;
      if (at >= pattern.length || '-]'.includes(pattern.charAt(at))) return undefined;
      high = next();
    }
    ranges.push({ low, high });
  }
  const matches = (one: string): boolean => ranges.some(({ low, high }) => low <= one && one <= high) !== isNegated;
  return { matches, end: at };
}

/** In time proportional to both lengths: a `*` that has failed begins one character later. */
function matchesAll(parts: readonly Part[], name: string): boolean {
  let [part, at] = [0, 0];
  let [star, starAt] = [-1, 0];
  while (at < name.length) {
    const wanted = parts[part];
    if (wanted === '*') {
      [star, starAt] = [part, at];
      part += 1;
    } else if (wanted?.(name.charAt(at)) === true) {
      part += 1;
      at += 1;
    } else if (star === -1) return false;
    else {
      starAt += 1;
      [part, at] = [star + 1, starAt];
    }
  }
  return parts.slice(part).every((rest) => rest === '*');
}
