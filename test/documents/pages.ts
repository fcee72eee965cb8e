import { readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

/** The documents for users, from the checkout's root; decisions explain the source, and reference pages are tables. */
export const pages: readonly string[] = [
  'README.md',
  ...markdownIn('docs'),
  'examples/README.md',
  ...readdirSync(join(root, 'examples'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `examples/${name}/README.md`),
];

/** A page of a project is about that project: its commands are run in a copy. */
export function projectOf(page: string): string | undefined {
  return /^examples\/\w[^/]*(?=\/README\.md$)/.exec(page)?.[0];
}

/** All that readers of the repository may come across. */
export const allDocuments: readonly string[] = [
  ...pages,
  ...markdownIn('docs/decisions'),
  ...markdownIn('docs/reference'),
  ...markdownIn('docs/endurance'),
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'test/README.md',
  'tools/README.md',
];

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** The files of the repository that a document links to, with the heading after `#`, if any. */
export function linksOf(page: string, text: string): readonly { readonly path: string; readonly heading: string }[] {
  const withoutCode = text.replaceAll(/^```.*?^```$/gms, '').replaceAll(/`[^`]*`/g, '');
  return [...withoutCode.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)].map(([, path = '', heading = '']) => ({
    path: path === '' ? page : relative(root, join(root, dirname(page), path)),
    heading,
  }));
}

/** As GitHub, GitLab and npm name them. */
export function headingsOf(text: string): ReadonlySet<string> {
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  return new Set(headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}\s_-]/gu, '').replaceAll(/\s/g, '-')));
}
