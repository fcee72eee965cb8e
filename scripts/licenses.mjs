// The licenses of the packages that the bundle contains, which ask to come with every copy.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** `inputs` are the paths of the files that were bundled, from the root. */
export function licensesOf(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].toSorted().map(licenseOf).join('\n');
}

function licenseOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
  const files = readdirSync(join(root, folder)).filter((file) => /^(?:licen[cs]e|notice)\b/i.test(file));
  const texts = files.toSorted().map((file) => readFileSync(join(root, folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts, ''].join('\n\n');
}
