import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readDurations } from '../durations/durations.ts';
import { mutations } from '../robustness/mutations.ts';
import { circlesOf } from './circles.ts';
import { folderOf, importFault, inwardFault, layerOf } from './layers.ts';
import { importsOf, projectFiles, readText, root } from './sources.ts';

const files = projectFiles();
const sources = files.filter((path) => path.endsWith('.ts') && !path.includes('/generated/'));
const production = sources.filter((path) => path.startsWith('src/') && !path.endsWith('.test.ts'));

/** Folders whose contents are not worded by us: recorded responses and generated tables. */
const recorded = /(?:^|\/)(?:testdata|generated)\//;
const written = files.filter((path) => !recorded.test(path) && path !== 'package-lock.json' && path !== 'LICENSE');

describe('layers', () => {
  test('every folder of src/ is in a layer', () => {
    const folders = new Set(sources.map(folderOf).filter((folder) => folder !== undefined));
    expect([...folders].filter((folder) => layerOf(folder) === undefined)).toEqual([]);
  });

  test('a file imports from its own folder or from a lower layer', () => {
    const faults = sources.flatMap((path) => {
      const from = folderOf(path);
      if (from === undefined) return [];
      return importsOf(path).flatMap((target) => {
        const to = folderOf(target);
        const fault = to === undefined ? undefined : importFault(from, to);
        return fault === undefined ? [] : [`${path} imports ${target}: ${fault}`];
      });
    });
    expect(faults).toEqual([]);
  });

  test('so does one in a folder with layers of its own', () => {
    const faults = sources
      .filter((path) => !path.endsWith('.test.ts'))
      .flatMap((path) =>
        importsOf(path).flatMap((target) => {
          const fault = inwardFault(path, target);
          return fault === undefined ? [] : [`${path} imports ${target}: ${fault}`];
        }),
      );
    expect(faults).toEqual([]);
    expect(inwardFault('src/http/verbs/get.ts', 'src/http/forms/form.ts')).toBeUndefined();
    expect(inwardFault('src/http/forms/form.ts', 'src/http/verbs/get.ts')).toBe('verbs/ is not below forms/');
    expect(inwardFault('src/http/verbs/get.ts', 'src/http/virtual/binding.ts')).toBe('virtual/ is not below verbs/');
    expect(inwardFault('src/http/verbs/get.ts', 'src/http/flat.ts')).toContain('src/http/flat.ts is in no folder');
  });

  test('the rule distinguishes upward, sideways and downward imports', () => {
    expect(importFault('http', 'registry')).toBeUndefined();
    expect(importFault('registry', 'http')).toBe('http/ is above registry/');
    expect(importFault('codec', 'storage')).toBe('codec/ and storage/ are of one layer');
    expect(importFault('codec', 'nowhere')).toBe('nowhere/ is in no layer');
  });

  test('shared parts of kinds import no kind', () => {
    const parts = production.filter((path) => path.startsWith('src/resources/parts/'));
    const kinds = /^src\/resources\/(?!parts\/)[^/]+\//;
    const faults = parts.flatMap((path) =>
      importsOf(path)
        .filter((target) => kinds.test(target))
        .map((target) => `${path} imports ${target}`),
    );
    expect(parts.length).toBeGreaterThan(0);
    expect(faults).toEqual([]);
  });

  test('src/ imports nothing from outside except package.json', () => {
    const outside = production.flatMap((path) =>
      importsOf(path)
        .filter((target) => folderOf(target) === undefined && target !== 'package.json')
        .map((target) => `${path} imports ${target}`),
    );
    expect(outside).toEqual([]);
  });
});

describe('the import graph', () => {
  test('has no cycle, not even of types', () => {
    expect(circlesOf(new Map(production.map((path) => [path, importsOf(path)])))).toEqual([]);
  });

  test('a cycle is detected', () => {
    const graph = new Map([
      ['a', ['b', 'd']],
      ['b', ['c']],
      ['c', ['a']],
      ['d', []],
    ]);
    expect(circlesOf(graph)).toEqual([['a', 'b', 'c']]);
  });
});

describe('error classes', () => {
  test('have a code', () => {
    const declared = /^export class \w+ extends \w*Error \{[\s\S]*?^\}/gm;
    const faults = production.flatMap((path) =>
      [...(readText(path) ?? '').matchAll(declared)]
        .filter(([text]) => !/\breadonly code\b/.test(text))
        .map(([text]) => `${path}: ${text.slice(0, text.indexOf('{'))}`),
    );
    expect(faults).toEqual([]);
  });
});

describe('time', () => {
  test('comes from a clock', () => {
    const readers = production.filter((path) => /\bDate\.now\(|new Date\(\)/.test(readText(path) ?? ''));
    expect(readers).toEqual(['src/api/time/clock.ts', 'src/storage/conformance/fixture.ts']);
  });
});

describe('documents', () => {
  test('link to existing files', () => {
    const documents = written.filter((path) => path.endsWith('.md'));
    const faults = documents.flatMap((path) =>
      linksOf(readText(path) ?? '')
        .filter((target) => !existsSync(join(root, dirname(path), target)))
        .map((target) => `${path} links to ${target}`),
    );
    expect(documents.length).toBeGreaterThan(20);
    expect(faults).toEqual([]);
  });

  test('describe each request path in at most ten files, none twice', () => {
    const text = readText('ARCHITECTURE.md') ?? '';
    const paths = [...text.matchAll(/^The path of an? (\S+?)[,:].*\n\n((?:\d+\. .*\n)+)/gm)];
    expect(paths.map(([, name]) => name)).toEqual(['POST', 'apply', 'GET', 'watch']);
    for (const [, name, steps = ''] of paths) {
      const files = linksOf(steps);
      expect(files.length, name).toBeLessThanOrEqual(10);
      expect(new Set(files).size, name).toBe(steps.trim().split('\n').length);
    }
  });
});

/** The files that a document links to, excluding URLs and anchors. */
function linksOf(text: string): readonly string[] {
  return [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = '']) => target);
}

describe('comments and documents', () => {
  test('have at most 120 columns, except for tables and diagrams', () => {
    const isComment = /^\s*(?:\/?\*|\/\/|#)/;
    const isLayout = /^\s*(?:\*\s+)?\||^\s*\* {2,}/;
    const faults = written.flatMap((path) => {
      const isDocument = path.endsWith('.md');
      if (!isDocument && !/\.(?:ts|mts|mjs|go)$|^\.ci\//.test(path)) return [];
      const lines = (readText(path) ?? '').replaceAll(/^```[\s\S]*?^```/gm, blanked).split('\n');
      return lines.flatMap((line, index) =>
        line.length > 120 && (isDocument || isComment.test(line)) && !isLayout.test(line)
          ? [`${path}:${index + 1}`]
          : [],
      );
    });
    expect(faults).toEqual([]);
  });
});

describe('doc comments', () => {
  /** What refers to a neighbour is of no use where an editor shows the comment alone. */
  const relative =
    /\/\*\*\s*(?:\* )?(?:The same|Of|Those|As above|As before|Who|Whose|Likewise|Same|And|Also|Told|Asked)\b/g;

  test('stand alone', () => {
    const faults = sources
      .filter((path) => !recorded.test(path) && !path.startsWith('test/tidy/'))
      .flatMap((path) => [...(readText(path) ?? '').matchAll(relative)].map(([opening]) => `${path}: ${opening}`));
    expect(faults).toEqual([]);
  });

  test('that do not are found', () => {
    expect('/** Of the request. */'.match(relative)).not.toBeNull();
    expect('  /**\n   * The same for updates.'.match(relative)).not.toBeNull();
    expect('/** Offsets of lines. */'.match(relative)).toBeNull();
  });
});

/** Without its text, but with its lines. */
function blanked(text: string): string {
  return text.replaceAll(/[^\n]/g, '');
}

describe('recorded durations', () => {
  test('are of files that exist', () => {
    const paths = Object.values(readDurations()).flatMap((ofProject) => Object.keys(ofProject));
    expect(paths.length).toBeGreaterThan(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('planted bugs', () => {
  test.for(mutations.map((mutation) => [mutation.title, mutation] as const))(
    '%s: the replaced source occurs exactly once',
    ([, { file, find }]) => {
      expect((readText(file) ?? '').split(find)).toHaveLength(2);
    },
  );
});

describe('files', () => {
  test('have at most 600 lines', () => {
    const long = sources.filter((path) => (readText(path) ?? '').split('\n').length > 601);
    expect(long).toEqual([]);
  });

  test('are named in kebab case, with specific names', () => {
    const kebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:test|config|d))?\.(?:ts|mjs)$/;
    const ofUsers = /^examples\/.*\.js$/;
    const vague = /(?:^|[/-])(?:utils?|helpers?|common|misc)(?:[/.-]|$)/;
    const code = files.filter((path) => /\.(?:ts|mjs|js)$/.test(path));
    const named = code.map((path) => (ofUsers.test(path) ? path.replace(/js$/, 'mjs') : path));
    expect(named.filter((path) => !kebab.test(basename(path)) || vague.test(path))).toEqual([]);
  });

  test('use no retired names', () => {
    // Names that do not say what they are about, or that stand for the field's own: validators, constraints, metrics.
    const retired =
      /\b(?:[a-z]*[Jj]udges?[A-Z]\w*|[Jj]udge|Judges|Judged\w*|Judgements?|[a-z]*[Mm]isfits|lifted[A-Z]\w*|isLifted|\w*Demands|(?:type|interface|class) (?:Open)?(?:Place|Reading|Asked|Told\w*))\b|\b(?:function|private) textOf\(/;
    // Responses, and what is requested or reported.
    const spoken =
      /\b(?:type|interface|class|function|const|let) (?:\w*(?:Answers?|Told|Asked)|told|asked|demand[A-Z]\w*)\b/;
    const measures = /\b(?!JsonMeasure\b)\w+Measures?\b|\bMeasure\b/;
    const code = sources.filter((path) => !path.startsWith('test/tidy/'));
    expect(code.filter((path) => retired.test(readText(path) ?? ''))).toEqual([]);
    expect(code.filter((path) => measures.test(readText(path) ?? ''))).toEqual([]);
    expect(code.filter((path) => spoken.test(readText(path) ?? ''))).toEqual([]);
    for (const text of ['class Http1Answer', 'const told', 'function demandKey']) expect(text).toMatch(spoken);
    for (const text of ['const judge = 1', 'interface Place {', 'class ToldEvents {', 'ValueDemands', 'misfits']) {
      expect(text).toMatch(retired);
    }
    expect('new Measure(').toMatch(measures);
  });

  test('that only re-export exist only at entries', () => {
    const entries = new Set(['src/embed/index.ts']);
    const barrels = production.filter((path) => !entries.has(path) && isBarrel(readText(path) ?? ''));
    expect(barrels).toEqual([]);
  });

  test('marked as generated are in folders named generated', () => {
    const marked = files.filter(
      (path) => path.endsWith('.ts') && /^\/\/ (?:Code )?[Gg]enerated/.test(readText(path) ?? ''),
    );
    expect(marked.filter((path) => !path.includes('/generated/'))).toEqual([]);
  });

  test('name no machines and no registries', () => {
    const patterns = [
      /\/(?:root|home\/[a-z]+|Users\/[a-z]+|work)\/[a-z.]/,
      /registry\.(?:npmjs|yarnpkg)\.\w+/,
      // Folders of the checkout are not installed from elsewhere.
      /"resolved": "(?!scripts\/)/,
    ];
    const faults = [...written, 'package-lock.json'].filter((path) => {
      const text = readText(path) ?? '';
      return !path.startsWith('test/tidy/') && patterns.some((pattern) => pattern.test(text));
    });
    expect(faults).toEqual([]);
  });
});

/** Only `export ... from`, imports and comments. */
function isBarrel(text: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '').trim();
  const rest = code.replaceAll(/export\s+(?:type\s+)?(?:\*|\{[^}]*\})[^;]*\bfrom\b[^;]*;/g, '').trim();
  return code !== '' && rest === '';
}
