// Parses the declarations of a Go package that API types consist of: structs, named types, constants, lifecycles.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a package declares in which releases its types are introduced and removed. */
const lifecycleFiles: ReadonlySet<string> = new Set(['zz_generated.prerelease-lifecycle.go', 'lifecycle.go']);

/** Declarations of a package. Type expressions are written with package keys: `[]core/v1.Container`. */
export interface GoPackage {
  readonly key: string;
  readonly types: Map<string, GoType>;
  readonly constants: GoConstant[];
  /** Releases by type name. */
  readonly lifecycles: Map<string, Lifecycle>;
}

export type GoType =
  | { readonly form: 'struct'; readonly markers: readonly string[]; readonly fields: readonly GoField[] }
  | { readonly form: 'named'; readonly markers: readonly string[]; readonly expression: string }
  | { readonly form: 'alias'; readonly expression: string };

export interface GoField {
  /** Empty for an embedded struct. */
  readonly name: string;
  readonly expression: string;
  readonly markers: readonly string[];
  readonly tags: { readonly [key: string]: string };
}

export interface GoConstant {
  readonly name: string;
  /** Its type expression; empty if untyped. */
  readonly type: string;
  readonly value?: string;
  /** The constant that it equals, instead of a value. */
  readonly reference?: string;
}

export interface Lifecycle {
  introduced?: string;
  deprecated?: string;
  removed?: string;
  /** `group/version/kind`. */
  replacement?: string;
}

const builtins = new Set(
  'string bool byte int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64 any map interface'.split(
    ' ',
  ),
);

/** Reads the package in `dir`; `keyOf` returns the key of an import path. */
export function readGoPackage(dir: string, key: string, keyOf: (path: string) => string): GoPackage {
  const result: GoPackage = { key, types: new Map(), constants: [], lifecycles: new Map() };
  for (const file of readdirSync(dir).sort()) {
    if (!file.endsWith('.go') || file.endsWith('_test.go') || file === 'generated.pb.go') continue;
    const text = readFileSync(join(dir, file), 'utf8');
    if (lifecycleFiles.has(file)) readLifecycles(text, result.lifecycles);
    else if (!file.startsWith('zz_')) new FileReader(text, result, keyOf).read();
  }
  return result;
}

/** One pass over the lines of a gofmt-ed file. */
class FileReader {
  readonly #lines: readonly string[];
  readonly #result: GoPackage;
  readonly #keyOf: (path: string) => string;
  readonly #imports = new Map<string, string>();
  #index = 0;

  constructor(text: string, result: GoPackage, keyOf: (path: string) => string) {
    this.#lines = text.replace(/\/\*[\s\S]*?\*\//g, '').split('\n');
    this.#result = result;
    this.#keyOf = keyOf;
  }

  read(): void {
    let markers: string[] = [];
    for (; this.#index < this.#lines.length; this.#index++) {
      const line = this.#lines[this.#index] ?? '';
      if (line.startsWith('//')) {
        addMarker(markers, line);
        continue;
      }
      if (line.startsWith('import')) this.#readImports(line);
      else if (line.startsWith('type ')) this.#readType(line, markers);
      else if (line.startsWith('const ')) this.#readConstants(line);
      markers = [];
    }
  }

  #readImports(first: string): void {
    const lines = first.endsWith('(') ? this.#block(')') : [first.slice('import '.length)];
    for (const line of lines) {
      const match = /^\s*(\w+ )?"([^"]+)"/.exec(line);
      if (match?.[2] === undefined) continue;
      this.#imports.set(match[1]?.trim() ?? match[2].slice(match[2].lastIndexOf('/') + 1), match[2]);
    }
  }

  #readType(line: string, markers: readonly string[]): void {
    const match = /^type (\w+) (= )?(.+)$/.exec(line);
    if (match === null) return;
    const [, name = '', alias, form = ''] = match;
    if (form === 'struct {') {
      this.#result.types.set(name, { form: 'struct', markers, fields: this.#readFields() });
    } else if (form === 'struct{}') {
      this.#result.types.set(name, { form: 'struct', markers, fields: [] });
    } else if (form.startsWith('interface') || form.startsWith('func')) {
      if (form.endsWith('{')) this.#block('}');
    } else {
      const expression = this.#expression(form.replace(/\s*\/\/.*$/, ''));
      this.#result.types.set(
        name,
        alias === undefined ? { form: 'named', markers, expression } : { form: 'alias', expression },
      );
    }
  }

  #readFields(): GoField[] {
    const fields: GoField[] = [];
    let markers: string[] = [];
    for (const line of this.#block('}')) {
      const text = line.trim();
      if (text.startsWith('//')) {
        addMarker(markers, text);
        continue;
      }
      const match = /^(?:(\w+)\s+)?([^\s`]+)(?:\s+`([^`]*)`)?(?:\s*\/\/.*)?$/.exec(text);
      if (match !== null) {
        const [, name = '', type = '', tagText = ''] = match;
        const tags = Object.fromEntries(
          [...tagText.matchAll(/(\w+):"([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]),
        );
        fields.push({ name, expression: this.#expression(type), markers, tags });
      }
      markers = [];
    }
    return fields;
  }

  #readConstants(first: string): void {
    const lines = first.endsWith('(') ? this.#block(')') : [first.slice('const '.length)];
    for (const line of lines) {
      const match = /^\s*(\w+)\s+(?:([\w.]+)\s+)?=\s+(?:(\w+)\()?(?:"([^"]*)"|([A-Za-z][\w.]*))\)?$/.exec(
        line.replace(/\s*\/\/ .*$/, ''),
      );
      if (match === null) continue;
      const [, name = '', declared, converted, value, reference] = match;
      const type = declared ?? converted;
      this.#result.constants.push({
        name,
        type: type === undefined ? '' : this.#expression(type),
        ...(value === undefined ? { reference: this.#expression(reference ?? '') } : { value }),
      });
    }
  }

  /** The lines up to one that starts with `end`. */
  #block(end: string): string[] {
    const start = this.#index + 1;
    do this.#index++;
    while (this.#index < this.#lines.length && this.#lines[this.#index]?.startsWith(end) !== true);
    return this.#lines.slice(start, this.#index);
  }

  #expression(text: string): string {
    return text.replace(/(?:(\w+)\.)?([A-Za-z]\w*)/g, (whole, alias: string | undefined, name: string) => {
      if (alias === undefined) return builtins.has(name) ? name : `${this.#result.key}.${name}`;
      const path = this.#imports.get(alias);
      return path === undefined ? whole : `${this.#keyOf(path)}.${name}`;
    });
  }
}

function addMarker(markers: string[], comment: string): void {
  const match = /^\/\/\s*\+(.*)$/.exec(comment);
  if (match?.[1] !== undefined) markers.push(match[1].trim());
}

function readLifecycles(text: string, lifecycles: Map<string, Lifecycle>): void {
  const methods =
    /^func \(in \*(\w+)\) APILifecycle(Introduced|Deprecated|Removed|Replacement)\(\).*\{\n\treturn (.*)$/gm;
  for (const [, type = '', method = '', value = ''] of text.matchAll(methods)) {
    const lifecycle = lifecycles.get(type) ?? {};
    if (method === 'Replacement') {
      const match = /Group: "([^"]*)", Version: "([^"]*)", Kind: "([^"]*)"/.exec(value);
      lifecycle.replacement = match === null ? '' : match.slice(1).join('/');
    } else {
      const release = value.replace(', ', '.');
      if (method === 'Introduced') lifecycle.introduced = release;
      else if (method === 'Deprecated') lifecycle.deprecated = release;
      else lifecycle.removed = release;
    }
    lifecycles.set(type, lifecycle);
  }
}
