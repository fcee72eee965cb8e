import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { configDefaults, type ServerConfig } from '../server/config.ts';
import { type BuiltFlag, builtFlags } from './built-flags.ts';
import { UsageError } from './errors.ts';
import { type FlagFact, flagFacts } from './flag-facts.ts';
import { FlagValueError } from './flag-types.ts';

/** Where a server keeps its state unless told otherwise: under the working directory, as git does. */
export const defaultDataDir = '.binnacle';

/** kube-apiserver's `--help` and `--version` are commander's own here. */
const serveFacts = flagFacts.filter(({ section }) => section !== 'Global');

const builtByName: ReadonlyMap<string, BuiltFlag> = new Map(builtFlags.map((flag) => [flag.name, flag]));

/** What commander hands over: the texts of every occurrence, by flag name in camel case. */
export type FlagTexts = Readonly<Record<string, readonly string[] | undefined>>;

/** Gives the command all flags; those that are not built are not shown in its help, but known, so that they can be refused. */
export function addServeOptions(command: Command): Command {
  command.addOption(
    new Option('--data-dir <string>', 'folder of the store, the certificates and admin.kubeconfig').default(
      defaultDataDir,
    ),
  );
  for (const fact of serveFacts) command.addOption(serveOption(fact));
  return command;
}

/** Flags of which the reference's default is not ours: certificates are made in the data directory, objects are stored as JSON. */
export const ownDefaults: ReadonlySet<string> = new Set(['cert-dir', 'storage-media-type']);

function serveOption(fact: FlagFact): Option {
  const dashes = fact.name === 'v' ? '-v, --v' : `--${fact.name}`;
  const built = builtByName.get(fact.name);
  const shown = fact.default === undefined || ownDefaults.has(fact.name) ? '' : ` (default ${fact.default})`;
  return new Option(`${dashes} <${fact.type}>`, `${built?.help ?? ''}${shown}`)
    .hideHelp(built === undefined)
    .argParser((text: string, previous: readonly string[] | undefined) => [...(previous ?? []), text]);
}

/** The configuration that the flags ask for. Throws a UsageError. */
export function serverConfigOf(texts: FlagTexts & { readonly dataDir: string }): ServerConfig {
  const defaults: ServerConfig = { ...configDefaults, dataDir: resolve(texts.dataDir) };
  const config = serveFacts.reduce((sofar, { name }) => {
    const given = texts[camelCase(name)];
    return given === undefined ? sofar : applyFlag(name, given, sofar);
  }, defaults);
  refuseHalves(config);
  return config;
}

/** Flags that make no sense without others. */
function refuseHalves({ serving, storage: { etcd } }: ServerConfig): void {
  const { tlsCertFile, tlsPrivateKeyFile } = serving;
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new UsageError('--tls-cert-file and --tls-private-key-file must be given together');
  }
  if ((etcd.certFile === undefined) !== (etcd.keyFile === undefined)) {
    throw new UsageError('--etcd-certfile and --etcd-keyfile must be given together');
  }
  if (etcd.servers.length === 0 && (etcd.caFile ?? etcd.certFile) !== undefined) {
    throw new UsageError('--etcd-cafile and --etcd-certfile are for --etcd-servers, which is not given');
  }
}

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function applyFlag(name: string, given: readonly string[], config: ServerConfig): ServerConfig {
  const built = builtByName.get(name);
  if (!built) throw new UsageError(`--${name} is a flag of kube-apiserver that Binnacle has not built yet`);
  try {
    return built.apply(config, given);
  } catch (error) {
    if (error instanceof FlagValueError) throw new UsageError(`--${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

const booleanNames: ReadonlySet<string> = new Set(
  serveFacts.filter(({ type }) => type === 'bool').map(({ name }) => name),
);

/** pflag's ways: `--a_b` is `--a-b`, and a boolean never takes the next argument as its value. */
export function normalizeArguments(args: readonly string[]): string[] {
  return args.map((argument) => {
    const [, name, value = ''] = /^--([^=]+)(=.*)?$/s.exec(argument) ?? [];
    if (name === undefined) return argument;
    const dashed = name.replaceAll('_', '-');
    return `--${dashed}${value === '' && booleanNames.has(dashed) ? '=true' : value}`;
  });
}
