// Which Go packages are imported, and their short keys in the tables.
import { existsSync, globSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { readGoPackage, type GoPackage } from './go-source.ts';

const metaPackages: { readonly [path: string]: string } = {
  'k8s.io/apimachinery/pkg/apis/meta/v1': 'meta/v1',
  'k8s.io/apimachinery/pkg/api/resource': 'resource',
  'k8s.io/apimachinery/pkg/util/intstr': 'intstr',
  'k8s.io/apimachinery/pkg/runtime': 'runtime',
  'k8s.io/apimachinery/pkg/types': 'types',
  'k8s.io/apimachinery/pkg/version': 'version',
  'k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1': 'apiextensions/v1',
  'k8s.io/kube-aggregator/pkg/apis/apiregistration/v1': 'apiregistration/v1',
};

/** Packages without resources whose objects the server reads or writes. */
const protocolPackages = ['k8s.io/api/admission/v1', 'k8s.io/api/apidiscovery/v2'];

/** Modules whose packages are named by their path below a folder: `metrics/v1beta1`. */
const apiFolders: readonly string[] = [
  'k8s.io/api/',
  'k8s.io/apiextensions-apiserver/pkg/apis/',
  'k8s.io/kube-aggregator/pkg/apis/',
  'k8s.io/metrics/pkg/apis/',
];

/** `core/v1` for `k8s.io/api/core/v1`; the path itself for packages without API types. */
export function packageKey(path: string): string {
  const folder = apiFolders.find((each) => path.startsWith(each)) ?? '';
  return metaPackages[path] ?? path.slice(folder.length);
}

/** `io.k8s.api.core.v1` for `k8s.io/api/core/v1`: the prefix of definition names. */
export function definitionPrefix(path: string): string {
  const [domain = '', ...rest] = path.split('/');
  return [...domain.split('.').toReversed(), ...rest].join('.');
}

/** A package and its names. */
export interface SourcePackage extends GoPackage {
  readonly path: string;
  readonly dir: string;
  readonly prefix: string;
}

/** Reads every package with one of the definitions, sorted by key. */
export function readPackages(
  modules: ReadonlyMap<string, string>,
  definitions: readonly string[],
): Map<string, SourcePackage> {
  const prefixes = new Set(definitions.map((name) => name.slice(0, name.lastIndexOf('.'))));
  const apiPaths = [...prefixes]
    .filter((prefix) => prefix.startsWith('io.k8s.api.'))
    .map((prefix) => prefix.replace(/^io\.k8s\./, 'k8s.io/').replaceAll(/\.(?!io\/)/g, '/'));
  const paths = [...new Set([...Object.keys(metaPackages), ...protocolPackages, ...apiPaths])];
  return byKey(paths.map((path) => readPackage(path, modules)));
}

/** Reads every other package that registers kinds, sorted by key. */
export function readUnservedPackages(
  modules: ReadonlyMap<string, string>,
  known: ReadonlyMap<string, SourcePackage>,
): Map<string, SourcePackage> {
  const paths = apiFolders.flatMap((folder) =>
    globSync('*/v*/register.go', { cwd: folderOf(folder, modules) }).map((file) => `${folder}${dirname(file)}`),
  );
  return byKey(paths.filter((path) => !known.has(packageKey(path))).map((path) => readPackage(path, modules)));
}

function readPackage(path: string, modules: ReadonlyMap<string, string>): SourcePackage {
  const dir = folderOf(path, modules);
  return { ...readGoPackage(dir, packageKey(path), packageKey), path, dir, prefix: definitionPrefix(path) };
}

function byKey(packages: readonly SourcePackage[]): Map<string, SourcePackage> {
  return new Map(packages.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((each) => [each.key, each]));
}

function folderOf(path: string, modules: ReadonlyMap<string, string>): string {
  for (const [module, dir] of modules) {
    if (!path.startsWith(`${module}/`)) continue;
    const folder = join(dir, path.slice(module.length + 1));
    if (existsSync(folder)) return folder;
  }
  throw new Error(`no module holds package ${path}`);
}
