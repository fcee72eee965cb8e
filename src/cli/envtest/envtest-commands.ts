import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { ServerConfig } from '../../server/config.ts';
import { builtFlags } from '../built-flags.ts';
import { UsageError } from '../errors.ts';
import { addFlagOptions, allFlags, defaultDataDir, type FlagTexts, serverConfigOf } from '../serve-options.ts';
import type { ServeInPlaceOptions } from './serve-in-place.ts';

export interface EnvtestCommandOptions extends Omit<ServeInPlaceOptions, 'environment'> {
  readonly stdout: (text: string) => void;
}

/** A test may ask for controllers without a change of its code. */
const controllersVariable = 'BINNACLE_CONTROLLERS';

const serverCommand = 'kube-apiserver';
const serverDescription = 'runs the API server; flags have the names and meanings of kube-apiserver';

/** `envtest`, and what the programs of its folder call. */
export function addEnvtestCommands(program: Command, args: readonly string[], options: EnvtestCommandOptions): void {
  program
    .command('envtest')
    .summary('print a folder of programs for envtest')
    .description("print a folder of programs for controller-runtime's envtest: KUBEBUILDER_ASSETS=$(binnacle envtest)")
    .action(async () => options.stdout(`${await programsFolder()}\n`));
  const server = program
    .command(serverCommand, { hidden: true })
    .description(serverDescription)
    .allowExcessArguments(false)
    .action(async (texts: FlagTexts) => {
      const config = configOf(texts, process.env);
      const { serveInPlace } = await import('./serve-in-place.ts');
      if (!(await serveInPlace(config, { ...options, environment: process.env })))
        throw new UsageError('etcd has ended');
    });
  if (args[0] === serverCommand) addFlagOptions(server, args);
}

/** Without controllers, as kube-apiserver. Throws a UsageError. */
function configOf(texts: FlagTexts, environment: NodeJS.ProcessEnv): ServerConfig {
  const controllers = texts['controllers'] ?? [environment[controllersVariable] ?? ''];
  const dataDir = texts['certDir']?.at(-1) ?? defaultDataDir;
  const config = serverConfigOf(withDataDir({ ...texts, controllers }, dataDir), builtFlags, environment);
  if (config.storage.etcd.servers.length === 0) throw new UsageError('--etcd-servers must be specified');
  return config;
}

/** As commander gives it where there is such an option. */
function withDataDir(texts: FlagTexts, dataDir: string): FlagTexts & { readonly dataDir: string } {
  return Object.assign(texts, { dataDir });
}

async function programsFolder(): Promise<string> {
  const [{ programScripts }, { writeProgramsFolder }, { kubernetesVersion }, { etcdVersion }] = await Promise.all([
    import('./program-scripts.ts'),
    import('./programs-folder.ts'),
    import('../../server/version.ts'),
    import('./etcd-server.ts'),
  ]);
  const launcher = realpathSync(process.argv[1] ?? '');
  const scripts = programScripts({
    node: process.execPath,
    launcher,
    etcdScript: join(dirname(launcher), 'envtest-etcd.js'),
    serverHelp: serverHelp(),
    kubernetesVersion,
    etcdVersion,
  });
  return writeProgramsFolder(scripts, process.env);
}

/** With every flag, one at the beginning of each line, where tests look for it. */
function serverHelp(): string {
  const command = new Command(serverCommand).description(serverDescription).helpOption('--help', 'print this');
  return addFlagOptions(command, allFlags).helpInformation();
}
