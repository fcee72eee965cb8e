import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { gatesByConfig } from '../server/kinds/served-by-config.ts';
import { configDefaults, type ServerConfig } from '../server/config.ts';
import { lanesOfMachine } from '../server/threads/thread-limits.ts';
import { authorizationProblem } from './authorization-flags.ts';
import { builtFlags } from './built-flags.ts';
import type { BuiltFlag } from './flag.ts';
import { encryptionProblem } from './encryption-flags.ts';
import { UsageError } from './errors.ts';
import { auditProblems } from '../audit/audit-config.ts';
import { metricsProblem } from './metrics-flags.ts';
import { checkAuthentication } from './authentication-flags.ts';
import { checkCoordination } from './coordination-flags.ts';
import { type FlagFact, flagFacts } from './flag-facts.ts';
import { checkAdmission } from './admission-flags.ts';
import { checkPeers } from './peer-flags.ts';
import { checkRelease } from './release-flags.ts';
import { shownFlags } from './shown-flags.ts';
import { FlagValueError, parseBoolean } from './flag-types.ts';

/** Default data directory, below the working directory. */
export const defaultDataDir = '.binnacle';

/** Handled by commander itself. */
const serveFacts = flagFacts.filter(({ section }) => section !== 'Global');

/** A known flag, built or not. */
interface ServeFlag extends FlagFact {
  readonly built: BuiltFlag | undefined;
}

/** The reference's flags, with their rows where built, and our own. */
function serveFlags(rows: readonly BuiltFlag[]): readonly ServeFlag[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const known = serveFacts.map((fact) => ({ ...fact, built: byName.get(fact.name) }));
  const names = new Set(serveFacts.map(({ name }) => name));
  const own = rows
    .filter(({ name }) => !names.has(name))
    .map((built) => ({ name: built.name, type: built.ownType ?? 'string', default: undefined, section: 'Own', built }));
  return [...known, ...own];
}

/** commander's result: the values of every occurrence, by flag name in camel case. */
export type FlagTexts = Readonly<Record<string, readonly string[] | undefined>>;

/** Registers `--data-dir`, and the flags that normalized arguments name. */
export function addServeOptions(
  command: Command,
  args: readonly string[],
  rows: readonly BuiltFlag[] = builtFlags,
): Command {
  command.addOption(
    new Option('--data-dir <string>', 'folder of the store, the certificates and admin.kubeconfig').default(
      defaultDataDir,
    ),
  );
  return addFlagOptions(command, args, rows);
}

/**
 * Registers the flags that normalized arguments name. Those that are not built are hidden from the help, but known, so
 * that they are refused.
 */
export function addFlagOptions(
  command: Command,
  args: readonly string[],
  rows: readonly BuiltFlag[] = builtFlags,
): Command {
  for (const flag of namedFlags(serveFlags(rows), args)) command.addOption(serveOption(flag));
  return command;
}

/** In place of arguments: registers every flag. */
export const allFlags: readonly string[] = ['help'];

/** commander compares each option with all others, so all are registered only to print them or to suggest one. */
function namedFlags(flags: readonly ServeFlag[], args: readonly string[]): readonly ServeFlag[] {
  const names = new Set(args.flatMap((argument) => /^--?(v(?=\d)|[^=]+)/.exec(argument)?.[1] ?? []));
  const known = new Set([...flags.map(({ name }) => name), 'data-dir']);
  const all = args.includes('help') || ![...names].every((name) => known.has(name));
  return all ? flags : flags.filter(({ name }) => names.has(name));
}

function serveOption({ name, type, default: text, built }: ServeFlag): Option {
  const dashes = name === 'v' ? '-v, --v' : `--${name}`;
  const shown = text === undefined || built?.ownDefault === true ? '' : ` (default ${text})`;
  return new Option(`${dashes} <${type}>`, `${built?.help ?? ''}${shown}`)
    .hideHelp(built === undefined)
    .argParser((text: string, previous: readonly string[] | undefined) => [...(previous ?? []), text]);
}

const removedVariable = 'KUBE_APISERVER_SERVE_REMOVED_APIS_FOR_ONE_RELEASE';

/** The configuration from the flags, and from what kube-apiserver takes from the environment. Throws a UsageError. */
export function serverConfigOf(
  texts: FlagTexts & { readonly dataDir: string },
  rows: readonly BuiltFlag[] = builtFlags,
  environment: NodeJS.ProcessEnv = {},
): ServerConfig {
  const servesRemoved = booleanVariable(environment, removedVariable);
  const api = { ...configDefaults.api, servesRemoved };
  // In a program, the thread of the caller serves unless told otherwise, and memory is the program's.
  const own = { apiThreads: 'auto', lanes: lanesOfMachine(), releasesMemory: true } as const;
  const serving = { ...configDefaults.serving, ...own };
  return configWithFlags({ ...configDefaults, api, serving, dataDir: resolve(texts.dataDir) }, texts, rows);
}

/** A configuration with the texts of flags applied. Throws a UsageError. */
export function configWithFlags(
  defaults: ServerConfig,
  texts: FlagTexts,
  rows: readonly BuiltFlag[] = builtFlags,
): ServerConfig {
  const config = serveFlags(rows).reduce((sofar, flag) => {
    const given = texts[camelCase(flag.name)];
    return given === undefined ? sofar : applyFlag(flag, given, sofar);
  }, defaults);
  refuseHalves(config);
  checkRelease(config);
  checkAdmission(config.admission);
  checkPeers(config.peers, () => gatesByConfig(config.api).get('UnknownVersionInteroperabilityProxy') === true);
  const given = (name: string): readonly string[] | undefined => texts[camelCase(name)];
  const problem =
    authorizationProblem(config, (name) => given(name) !== undefined) ??
    metricsProblem(config.metrics) ??
    encryptionProblem(config) ??
    auditProblems(config.audit)[0];
  if (problem !== undefined) throw new UsageError(problem);
  return { ...config, flags: shownFlags(honouredFlags(rows), given) };
}

/** Where Binnacle does something else without a flag, it does not have the reference's default. */
function honouredFlags(rows: readonly BuiltFlag[]): readonly FlagFact[] {
  const built = serveFlags(rows).filter((flag) => flag.built !== undefined);
  return built.map((flag) => (flag.built?.ownDefault === true ? { ...flag, default: undefined } : flag));
}

/** Flags that require others. */
function refuseHalves({ serving, api, authentication, control, requests, storage: { etcd } }: ServerConfig): void {
  checkAuthentication(authentication);
  checkSeats(requests);
  checkCoordination(control);
  const { tlsCertFile, tlsPrivateKeyFile, serviceNodePort } = serving;
  const { base, size } = api.serviceNodePortRange;
  if (serviceNodePort !== 0 && (serviceNodePort < base || serviceNodePort >= base + size)) {
    throw new UsageError(
      `kubernetes service node port range ${base}-${base + size - 1} doesn't contain ${serviceNodePort}`,
    );
  }
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    throw new UsageError('--tls-cert-file and --tls-private-key-file must be specified together');
  }
  if ((etcd.certFile === undefined) !== (etcd.keyFile === undefined)) {
    throw new UsageError('--etcd-certfile and --etcd-keyfile must be specified together');
  }
  if (etcd.servers.length === 0 && etcd.overrides.length > 0) {
    throw new UsageError('--etcd-servers-overrides requires --etcd-servers');
  }
  if (etcd.servers.length === 0 && (etcd.caFile ?? etcd.certFile) !== undefined) {
    throw new UsageError('--etcd-cafile and --etcd-certfile require --etcd-servers');
  }
}

/** Without seats nothing could be served. */
function checkSeats({ priorityAndFairness, maxReadOnlyInFlight, maxMutatingInFlight }: ServerConfig['requests']): void {
  if (!priorityAndFairness || maxReadOnlyInFlight + maxMutatingInFlight > 0) return;
  throw new UsageError(
    `invalid configuration: MaxRequestsInFlight=${maxReadOnlyInFlight} and MaxMutatingRequestsInFlight=${maxMutatingInFlight}; they must add up to something positive`,
  );
}

function booleanVariable(environment: NodeJS.ProcessEnv, name: string): boolean {
  const text = environment[name];
  if (text === undefined) return false;
  try {
    return parseBoolean(text);
  } catch (error) {
    throw error instanceof FlagValueError ? new UsageError(`${name}: ${error.message}`, { cause: error }) : error;
  }
}

/** The texts of flags by their names, without dashes before them. Throws a UsageError for a name that is no flag's. */
export function flagTexts(values: Readonly<Record<string, FlagValue>>): FlagTexts {
  const names = new Set(serveFlags(builtFlags).map(({ name }) => name));
  const given = Object.entries(values).map(([name, value]): [string, readonly string[]] => {
    if (!names.has(name)) throw new UsageError(`there is no flag --${name}`);
    return [camelCase(name), (Array.isArray(value) ? value : [value]).map(String)];
  });
  return Object.fromEntries(given);
}

/** The value of a flag as a program has it; a list gives it several times. */
export type FlagValue = string | number | boolean | readonly string[];

function camelCase(name: string): string {
  return name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}

function applyFlag(flag: ServeFlag, given: readonly string[], config: ServerConfig): ServerConfig {
  const { name, built } = flag;
  try {
    if (built !== undefined) return built.apply(config, given);
    throw new UsageError(`--${name} is a kube-apiserver flag that Binnacle does not support yet`);
  } catch (error) {
    if (error instanceof FlagValueError) throw new UsageError(`--${name}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** As in pflag, `--a_b` is `--a-b`, `-v=2` is `-v2`, and a boolean flag never takes the next argument as its value. */
export function normalizeArguments(args: readonly string[], rows: readonly BuiltFlag[] = builtFlags): string[] {
  const booleans = serveFlags(rows).filter(({ type }) => type === 'bool');
  const booleanNames = new Set(booleans.map(({ name }) => name));
  return args.map((argument) => {
    const [, name, value = ''] = /^--([^=]+)(=.*)?$/s.exec(argument) ?? [];
    if (name === undefined) return argument.replace(/^-([a-z])=/, '-$1');
    const dashed = name.replaceAll('_', '-');
    return `--${dashed}${value === '' && booleanNames.has(dashed) ? '=true' : value}`;
  });
}
