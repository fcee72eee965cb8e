/** Attributes with URLs, by element; those of the reference. */
const linkAttributes: ReadonlyMap<string, readonly string[]> = new Map([
  ['a', ['href']],
  ['applet', ['codebase']],
  ['area', ['href']],
  ['audio', ['src']],
  ['base', ['href']],
  ['blockquote', ['cite']],
  ['body', ['background']],
  ['button', ['formaction']],
  ['command', ['icon']],
  ['del', ['cite']],
  ['embed', ['src']],
  ['form', ['action']],
  ['frame', ['longdesc', 'src']],
  ['head', ['profile']],
  ['html', ['manifest']],
  ['iframe', ['longdesc', 'src']],
  ['img', ['longdesc', 'src', 'usemap']],
  ['input', ['src', 'usemap', 'formaction']],
  ['ins', ['cite']],
  ['link', ['href']],
  ['object', ['classid', 'codebase', 'data', 'usemap']],
  ['q', ['cite']],
  ['script', ['src']],
  ['source', ['src']],
  ['video', ['poster', 'src']],
]);

/** Elements whose content is always text. */
const textElements: ReadonlySet<string> = new Set([
  'iframe',
  'noembed',
  'noframes',
  'noscript',
  'plaintext',
  'script',
  'style',
  'title',
  'textarea',
  'xmp',
]);

/** Longer tags are passed on unchanged, so that an endless one is neither kept nor read again and again. */
const maxTagLength = 16 * 1024;

/**
 * Rewrites the links of an HTML page while it passes. Of a page it keeps an unfinished tag at most; what is no link
 * stays as it is written, byte for byte in latin1.
 *
 *     <a href="/x">go</a>   ->   <a href="/prefix/x">go</a>
 */
export class LinkRewriter {
  readonly #rewrite: (link: string) => string;
  #pending = '';
  /** What ends the text that is passed on unread: `-->`, `</script`, or `>` of a long tag. */
  #until: string | undefined;

  constructor(rewrite: (link: string) => string) {
    this.#rewrite = rewrite;
  }

  /** The part of the page that is complete with this chunk. */
  write(chunk: string): string {
    this.#pending += chunk;
    const passed: string[] = [];
    for (let part = this.#next(); part !== undefined; part = this.#next()) passed.push(part);
    return passed.join('');
  }

  end(): string {
    return this.#take(this.#pending.length);
  }

  /** Undefined until there is more of the page. */
  #next(): string | undefined {
    if (this.#pending === '') return undefined;
    if (this.#until !== undefined) return this.#unread(this.#until);
    const start = this.#pending.indexOf('<');
    if (start !== 0) return this.#take(start === -1 ? this.#pending.length : start);
    if (this.#pending.startsWith('<!--')) {
      this.#until = '-->';
      return this.#take(4);
    }
    if ('<!--'.startsWith(this.#pending) || this.#pending === '</') return undefined;
    if (/^<[/!?]/.test(this.#pending)) return this.#markup();
    return /^<[a-z]/i.test(this.#pending) ? this.#tag() : this.#take(1);
  }

  #unread(until: string): string | undefined {
    const end = this.#pending.toLowerCase().indexOf(until);
    if (end !== -1) {
      this.#until = undefined;
      return this.#take(end + (until === '-->' ? until.length : 0));
    }
    // The end may have begun.
    const sure = this.#pending.length - until.length + 1;
    return sure > 0 ? this.#take(sure) : undefined;
  }

  /** End tags and declarations. */
  #markup(): string | undefined {
    const end = this.#pending.indexOf('>');
    if (end !== -1) return this.#take(end + 1);
    return this.#pending.length > maxTagLength ? this.#take(this.#pending.length) : undefined;
  }

  #tag(): string | undefined {
    const tag = readTag(this.#pending);
    if (tag === undefined) {
      if (this.#pending.length <= maxTagLength) return undefined;
      this.#until = '>';
      return this.#take(1);
    }
    const { name, attributes, end } = tag;
    if (textElements.has(name)) this.#until = `</${name}`;
    const text = this.#take(end);
    const links = linkAttributes.get(name);
    if (links === undefined) return text;
    let [rewritten, at] = ['', 0];
    for (const { name: attribute, start, end: stop } of attributes) {
      if (!links.includes(attribute)) continue;
      rewritten += text.slice(at, start) + this.#link(text.slice(start, stop));
      at = stop;
    }
    return rewritten + text.slice(at);
  }

  /** Unchanged values are not rewritten. */
  #link(value: string): string {
    const link = value.replace(/&(?:amp|#38|#x26);/gi, '&');
    const rewritten = this.#rewrite(link);
    return rewritten === link
      ? value
      : rewritten.replaceAll('&', '&amp;').replaceAll('"', '&#34;').replaceAll("'", '&#39;');
  }

  #take(length: number): string {
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    return taken;
  }
}

interface Tag {
  /** In lower case. */
  readonly name: string;
  readonly attributes: readonly Attribute[];
  /** Behind the `>`. */
  readonly end: number;
}

interface Attribute {
  /** In lower case. */
  readonly name: string;
  /** The start of the value, without quotes. */
  readonly start: number;
  readonly end: number;
}

const nameEnd = /[\s/>]/g;
const attributeNameEnd = /[\s/>=]/g;
const valueEnd = /[\s>]/g;
const notBlank = /\S/g;
const notBlankOrSlash = /[^\s/]/g;

/** The start tag at the beginning of a text; undefined if the text ends before it. */
function readTag(text: string): Tag | undefined {
  const end = find(text, nameEnd, 1);
  const name = text.slice(1, end).toLowerCase();
  const attributes: Attribute[] = [];
  let at = find(text, notBlankOrSlash, end);
  while (at < text.length && text[at] !== '>') {
    // A name may begin with `=`.
    const stop = find(text, attributeNameEnd, at + 1);
    const attribute = text.slice(at, stop).toLowerCase();
    const sign = find(text, notBlank, stop);
    at = sign;
    if (text[sign] === '=') {
      const value = readValue(text, find(text, notBlank, sign + 1));
      if (value === undefined) return undefined;
      attributes.push({ name: attribute, ...value });
      at = value.after;
    }
    at = find(text, notBlankOrSlash, at);
  }
  return at < text.length ? { name, attributes, end: at + 1 } : undefined;
}

function readValue(text: string, at: number): (Omit<Attribute, 'name'> & { readonly after: number }) | undefined {
  const quote = text[at];
  if (quote !== '"' && quote !== "'") {
    const end = find(text, valueEnd, at);
    return { start: at, end, after: end };
  }
  const end = text.indexOf(quote, at + 1);
  return end === -1 ? undefined : { start: at + 1, end, after: end + 1 };
}

/** Where a pattern is found next; the length of the text if nowhere. */
function find(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? text.length;
}
