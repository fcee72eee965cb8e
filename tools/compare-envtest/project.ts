import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const environment = { ...process.env, GOFLAGS: '-mod=mod -vet=off -buildvcs=false', GOWORK: 'off' };

/** A project whose suites can be compiled. */
export interface Project {
  readonly name: string;
  /** Its sources, where `go` may write. */
  readonly folder: string;
}

/** Fetches a module such as `sigs.k8s.io/lws@v0.8.0` and copies its sources to `work`, unless they are there. */
export function fetchProject(module: string, work: string): Project {
  const name = module.replaceAll(/[^\w.-]+/g, '-');
  const folder = join(work, name, 'src');
  if (existsSync(join(folder, 'go.mod'))) return { name, folder };
  const output = execFileSync('go', ['mod', 'download', '-json', module], { cwd: work, encoding: 'utf8' });
  const { Dir: source } = JSON.parse(output) as { readonly Dir: string }; // go's
  cpSync(source, folder, { recursive: true });
  makeWritable(folder);
  dropLocalModules(folder, module.replace(/^.*@/, ''));
  return { name, folder };
}

/** Go's module cache is read-only. */
function makeWritable(path: string): void {
  const status = statSync(path);
  chmodSync(path, status.mode | 0o200);
  if (status.isDirectory()) for (const name of readdirSync(path)) makeWritable(join(path, name));
}

/** Modules in subfolders are not part of a module; what is published of them takes their place. */
function dropLocalModules(folder: string, version: string): void {
  const text = readFileSync(join(folder, 'go.mod'), 'utf8');
  for (const [, name = ''] of text.matchAll(/^(?:replace )?[ \t]*(\S+)(?: \S+)? => \.\S*$/gm)) {
    // What is only ever replaced is required in a version that does not exist; both are released together.
    const required = text.includes(`${name} v0.0.0-00010101000000-000000000000`) ? [`-require=${name}@${version}`] : [];
    execFileSync('go', ['mod', 'edit', `-dropreplace=${name}`, ...required], { cwd: folder });
  }
}

/** Compiles the tests of a package, unless they are compiled, and returns the path of the program. */
export function compileSuite({ folder }: Project, path: string): string {
  const programs = join(folder, '..', 'bin');
  mkdirSync(programs, { recursive: true });
  const program = join(programs, `${path.replaceAll(/[^\w-]+/g, '-')}.test`);
  if (!existsSync(program)) {
    const args = ['test', '-c', '-o', program, `./${path}`];
    execFileSync('go', args, { cwd: folder, env: environment, stdio: ['ignore', 'inherit', 'inherit'] });
  }
  return program;
}
