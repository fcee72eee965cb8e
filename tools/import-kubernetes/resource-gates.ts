// Resources that exist only with a feature gate, from where the reference registers their storage.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Gate by `group/version/plural`. */
export function readResourceGates(kubernetesDir: string): ReadonlyMap<string, string> {
  const gates = new Map<string, string>();
  const registry = join(kubernetesDir, 'pkg/registry');
  const pattern =
    /if resource := "(\w+)"; apiResourceConfigSource\.ResourceEnabled\(\w*?(v\d+(?:(?:alpha|beta)\d+)?)\.SchemeGroupVersion[^\n]*\n\s*if utilfeature\.DefaultFeatureGate\.Enabled\(features\.(\w+)\)/g;
  for (const name of readdirSync(registry)) {
    const dir = join(registry, name, 'rest');
    const register = join(kubernetesDir, 'pkg/apis', name, 'register.go');
    if (!existsSync(dir) || !existsSync(register)) continue;
    const group = /GroupName = "([^"]*)"/.exec(readFileSync(register, 'utf8'))?.[1] ?? '';
    for (const file of readdirSync(dir).filter((each) => each.endsWith('.go') && !each.endsWith('_test.go'))) {
      for (const [, plural = '', version = '', gate = ''] of readFileSync(join(dir, file), 'utf8').matchAll(pattern)) {
        gates.set(`${group}/${version}/${plural}`, gate);
      }
    }
  }
  return gates;
}
