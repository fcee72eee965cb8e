import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Block } from './blocks.ts';

/** On a busy machine a start takes long, with what npm does before it. */
const outputTimeoutMs = 240_000;

const examples = join(import.meta.dirname, '..', '..', 'examples');

export interface TerminalOptions {
  /** An empty folder. */
  readonly folder: string;
  /** What is in its working directory at first; nothing unless given. */
  readonly project?: string | undefined;
  readonly registry: string;
  /** Where programs that the machine does not have otherwise may be. */
  readonly programs: string;
}

/** What a reader has before them: one terminal, which keeps its folder and variables, and further ones. */
export class Terminal implements AsyncDisposable {
  readonly #folder: string;
  readonly #state: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #running: ChildProcess[] = [];
  #modules = 0;
  #code = '';

  constructor({ folder, project, registry, programs }: TerminalOptions) {
    this.#folder = join(folder, 'work');
    this.#state = join(folder, 'state');
    const [global, node, cache] = ['global', 'node', 'npm'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    for (const each of [this.#folder, node, cache]) mkdirSync(each);
    if (project !== undefined) copyProject(project, this.#folder);
    symlinkSync(process.execPath, join(node, 'node'));
    // Packages come from the user's cache; what npx installs is not left there.
    symlinkSync(join(npmCache(), '_cacache'), join(cache, '_cacache'));
    const { VITEST: _, NODE_TEST_CONTEXT: __, ...environment } = process.env;
    this.#environment = {
      ...environment,
      ...goFolders(),
      PATH: [join(global, 'bin'), node, environment['PATH'], programs].join(':'),
      npm_config_registry: registry,
      npm_config_cache: cache,
      npm_config_prefix: global,
      npm_config_prefer_offline: 'true',
      npm_config_yes: 'true',
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      XDG_CACHE_HOME: join(folder, 'cache'),
      KUBECACHEDIR: join(folder, 'kubectl'),
    };
  }

  /** What it has printed. */
  async run(block: Block): Promise<string> {
    const file = block.marks.get('file');
    if (file !== undefined) return this.#write(file, block.text);
    if (block.language === 'js' || block.language === 'ts') return await this.#runModule(block);
    const text = block.marks.get('background');
    if (text !== undefined) return await this.#runUntil(block.text, text);
    return await this.#runToEnd(this.#inProject(block), block.marks.has('fails'));
  }

  /** The commands of a block, in a copy of the project that it is about, if it names one. */
  #inProject({ marks, text }: Block): string {
    const name = marks.get('in');
    if (name === undefined) return text;
    const copy = join(dirname(this.#folder), name);
    if (!existsSync(copy)) copyProject(join(examples, name), copy);
    return `pushd '${copy}' > /dev/null\n${text}popd > /dev/null\n`;
  }

  #write(file: string, text: string): string {
    const path = join(this.#folder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return '';
  }

  async #runModule({ language, marks, text }: Block): Promise<string> {
    this.#code = marks.has('continues') ? `${this.#code}\n${text}` : text;
    const name = `module-${++this.#modules}.m${language}`;
    this.#write(name, this.#code);
    return await this.#runToEnd(`node ${name}`);
  }

  async #runToEnd(commands: string, fails = false): Promise<string> {
    const child = this.#start(
      commands,
      `\nexport -p > '${this.#state}'\nprintf 'cd %q\\n' "$PWD" >> '${this.#state}'\n`,
    );
    const printed = collected(child);
    const [code] = (await once(child, 'close')) as [number | null];
    if ((code !== 0) !== fails) throw new Error(`it ended with ${code}:\n${printed()}`);
    return printed();
  }

  async #runUntil(commands: string, text: string): Promise<string> {
    const child = this.#start(commands);
    this.#running.push(child);
    const printed = collected(child);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const timer = setTimeout(() => reject(new Error(`it does not print ${text}:\n${printed()}`)), outputTimeoutMs);
    const look = (): void => (printed().includes(text) ? resolve(printed()) : undefined);
    child.stdout?.on('data', look);
    child.stderr?.on('data', look);
    child.once('close', (code) => reject(new Error(`it ended with ${code}:\n${printed()}`)));
    return await promise.finally(() => clearTimeout(timer));
  }

  /** In a process group of its own, with what it starts. */
  #start(commands: string, after = ''): ChildProcess {
    const before = existsSync(this.#state) ? readFileSync(this.#state, 'utf8') : '';
    const args = ['-c', `${before}\nset -e\n${commands}${after}`];
    return spawn('bash', args, {
      cwd: this.#folder,
      env: this.#environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#running.map(interrupt));
  }
}

function copyProject(project: string, folder: string): void {
  cpSync(project, folder, { recursive: true, filter: isSource });
}

function isSource(path: string): boolean {
  return !path.includes('node_modules');
}

/** As Ctrl+C. */
async function interrupt(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGINT');
  await closed;
}

function collected(child: ChildProcess): () => string {
  let printed = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (part: string) => (printed += part));
  return () => printed;
}

function npmCache(): string {
  return execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();
}

/** Where Go has its modules, which follow the home and cache directories otherwise. */
function goFolders(): NodeJS.ProcessEnv {
  const names = ['GOCACHE', 'GOMODCACHE'];
  try {
    const values = execFileSync('go', ['env', ...names], { encoding: 'utf8' })
      .trim()
      .split('\n');
    return Object.fromEntries(names.map((name, index) => [name, values[index]]));
  } catch {
    return {};
  }
}
