import { resolve } from 'node:path';
import { goQuoteList } from '../api/go/go-quote.ts';
import { type AuthorizationConfig, flagProblems, type WebhookFlags } from '../authorization/authorization-config.ts';
import { AuthorizationModeError, authorizerRow, authorizerTable } from '../authorization/authorizer-table.ts';
import type { ServerConfig } from '../server/config.ts';
import { type BuiltFlag, flag, fileOf } from './flag.ts';
import { duration, FlagValueError, string, strings } from './flag-types.ts';

/** Flags of authorization. */
export const authorizationFlags: readonly BuiltFlag[] = [
  flag('authorization-config', {
    type: string,
    help: 'file of an AuthorizationConfiguration, instead of modes and webhook flags; reloaded when it changes',
    set: (file, config) => authorization(config, { configFile: fileOf(file) }),
  }),
  flag('authorization-mode', {
    type: strings,
    help: 'authorizers, in the order in which they are asked',
    values: () => authorizerTable.map(({ mode }) => mode),
    set: (modes, config) => authorization(config, { modes: authorizationModes(modes) }),
  }),
  flag('authorization-policy-file', {
    type: string,
    help: 'file of ABAC policies, one JSON object per line',
    set: (file, config) => authorization(config, { policyFile: resolve(file) }),
  }),
  flag('authorization-webhook-cache-authorized-ttl', {
    type: duration,
    help: 'how long to cache webhook decisions that allow a request',
    set: (ms, config) => webhook(config, { authorizedTtlMs: ms }),
  }),
  flag('authorization-webhook-cache-unauthorized-ttl', {
    type: duration,
    help: 'how long to cache webhook decisions that do not allow a request',
    set: (ms, config) => webhook(config, { unauthorizedTtlMs: ms }),
  }),
  flag('authorization-webhook-config-file', {
    type: string,
    help: 'kubeconfig of the webhook for the mode Webhook',
    set: (file, config) => webhook(config, { configFile: fileOf(file) }),
  }),
  flag('authorization-webhook-version', {
    type: string,
    help: 'version of the SubjectAccessReviews sent to the webhook: v1 or v1beta1',
    set: (version, config) => webhook(config, { version }),
  }),
];

function authorization({ authorization: before }: ServerConfig, changes: Partial<AuthorizationConfig>) {
  return { authorization: { ...before, ...changes } };
}

function webhook({ authorization: before }: ServerConfig, changes: Partial<WebhookFlags>) {
  return { authorization: { ...before, webhook: { ...before.webhook, ...changes } } };
}

function authorizationModes(names: readonly string[]): readonly string[] {
  const modes = names.map(authorizationMode);
  if (modes.length === 0) throw new FlagValueError('at least one authorization-mode must be passed');
  if (new Set(modes).size === modes.length) return modes;
  throw new FlagValueError(`authorization-mode ${goQuoteList(modes)} has mode specified more than once`);
}

function authorizationMode(name: string): string {
  try {
    return authorizerRow(name).mode;
  } catch (error) {
    throw error instanceof AuthorizationModeError ? new FlagValueError(error.message, { cause: error }) : error;
  }
}

const replacedByFile: readonly string[] = [
  'authorization-mode',
  'authorization-webhook-config-file',
  'authorization-webhook-version',
  'authorization-webhook-cache-authorized-ttl',
  'authorization-webhook-cache-unauthorized-ttl',
];

/** Why a combination of flags is invalid, with the reference's texts. */
export function authorizationProblem(
  { authorization: config }: ServerConfig,
  isGiven: (flag: string) => boolean,
): string | undefined {
  if (config.configFile === undefined) return flagProblems(config)[0];
  if (!replacedByFile.some(isGiven)) return undefined;
  return '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined';
}
