// The group versions in the reference's scheme: `--runtime-config` may name them, served or not.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Versions by group, preferred first. */
export function readRegisteredVersions(modules: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  const roots = [
    join(modules.get('k8s.io/kubernetes') ?? '', 'pkg/apis'),
    join(modules.get('k8s.io/apiextensions-apiserver') ?? '', 'pkg/apis'),
    join(modules.get('k8s.io/kube-aggregator') ?? '', 'pkg/apis'),
  ];
  const registered = new Map<string, readonly string[]>();
  for (const dir of roots.flatMap((root) => readdirSync(root).map((name) => join(root, name)))) {
    const install = join(dir, 'install/install.go');
    if (!existsSync(install)) continue;
    const text = readFileSync(install, 'utf8');
    const call = /SetVersionPriority\(([\s\S]*?)\)\)/.exec(text)?.[1] ?? '';
    const preferred = versionsIn(call, /(v\d+(?:(?:alpha|beta)\d+)?)\.SchemeGroupVersion/g);
    // Some are registered without any priority.
    const known = versionsIn(text, /(v\d+(?:(?:alpha|beta)\d+)?)\.AddToScheme/g);
    registered.set(readGroupName(dir), [...new Set([...preferred, ...known])]);
  }
  return registered;
}

function versionsIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, version = '']) => version);
}

function readGroupName(dir: string): string {
  const name = /GroupName = "([^"]*)"/.exec(readFileSync(join(dir, 'register.go'), 'utf8'))?.[1];
  if (name === undefined) throw new Error(`${dir} names no group`);
  return name;
}
