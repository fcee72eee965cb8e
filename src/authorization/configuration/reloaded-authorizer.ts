import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { AuthorizationAttributes, Authorizer, GrantedRules } from '../../api/contracts/authorization.ts';
import { hashOf } from '../../api/metrics/hash-label.ts';
import { ReloadMetrics, serverLabel } from '../../api/metrics/reload-metrics.ts';
import type { PartContext } from '../../api/contracts/part.ts';
import type { UserInfo } from '../../api/contracts/user.ts';
import type { AuthorizerSpec } from './authorizer-spec.ts';
import { AuthorizationFileError, type ConfigurationOptions, parseConfiguration } from './configuration-file.ts';

export interface ReloadedAuthorizerOptions {
  /** The path of the `--authorization-config` file. */
  readonly path: string;
  readonly context: PartContext;
  readonly types: readonly string[];
  readonly isRepeatable: (type: string) => boolean;
  /** This server's id in metrics. */
  readonly serverId: string;
  /** Makes the authorizers of `specs`; `onStop` closes what they open. */
  readonly chain: (specs: readonly AuthorizerSpec[], onStop: PartContext['onStop']) => Promise<Required<Authorizer>>;
}

interface Loaded {
  readonly text: string;
  readonly specs: readonly AuthorizerSpec[];
  readonly authorizer: Required<Authorizer>;
  /** Closes what only this configuration uses. */
  readonly close: () => Promise<void>;
}

/**
 * The authorizers that a file configures, replaced when it changes; an invalid file changes nothing. Throws a
 * ConfigError.
 */
export async function reloadedAuthorizer(options: ReloadedAuthorizerOptions): Promise<Required<Authorizer>> {
  const { path, context } = options;
  const metrics = new ReloadMetrics(context, {
    prefix: 'apiserver_authorization_config_controller',
    what: 'the authorization configuration',
  });
  const server = serverLabel(options.serverId);
  let current: Loaded | undefined;
  const text = await context.readFile(path, async (changed) => {
    if (current === undefined) return;
    try {
      const next = await reload(current, changed, options);
      if (next === current) return;
      const former = current;
      current = next;
      metrics.ended('success', server);
      metrics.inUse(hashOf(changed), server);
      await former.close();
    } catch (error) {
      metrics.ended('failure', server);
      throw error;
    }
  });
  current = await load(text, { types: options.types, required: [] }, options);
  // Looked up for each call: a reference to the first configuration would keep it in memory.
  const inUse = (): Loaded['authorizer'] => {
    assert(current !== undefined, 'the configuration has been loaded');
    return current.authorizer;
  };
  context.onStop(async () => current?.close());
  metrics.inUse(hashOf(text), server);
  return {
    authorize: (attributes: AuthorizationAttributes) => inUse().authorize(attributes),
    rulesOf: (user: UserInfo, namespace: string): GrantedRules | Promise<GrantedRules> =>
      inUse().rulesOf(user, namespace),
  };
}

/** Types other than Webhook are fixed at start: a reload must name the same ones. */
async function reload(current: Loaded, text: string, options: ReloadedAuthorizerOptions): Promise<Loaded> {
  const required = current.specs.map(({ type }) => type).filter((type) => !options.isRepeatable(type));
  const specs = await parseConfiguration(text, { types: options.types, required });
  if (isDeepStrictEqual(specs, current.specs)) return current;
  const late = specs.find(({ type }) => !required.includes(type) && needsStart(type));
  if (late !== undefined) {
    const why = 'is not allowed if it was not enabled at initial server startup';
    throw new AuthorizationFileError(`authorizer type ${late.type} ${why}`);
  }
  return await open(text, specs, options);
}

function needsStart(type: string): boolean {
  return type === 'Node' || type === 'ABAC' || type === 'RBAC';
}

async function load(
  text: string,
  configuration: ConfigurationOptions,
  options: ReloadedAuthorizerOptions,
): Promise<Loaded> {
  return await open(text, await parseConfiguration(text, configuration), options);
}

async function open(text: string, specs: readonly AuthorizerSpec[], { chain }: ReloadedAuthorizerOptions) {
  const opened = new AsyncDisposableStack();
  try {
    const authorizer = await chain(specs, (stop) => opened.defer(async () => stop()));
    return { text, specs, authorizer, close: () => opened.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
