import type { PartContext } from '../../api/contracts/part.ts';
import { type KubeconfigUser, type Pem, readKubeconfigUsers } from '../kubeconfig/kubeconfig.ts';
import { authorizationOf } from '../kubeconfig/kubeconfig-server.ts';

/** How this server identifies itself to one webhook. */
export interface WebhookUser {
  /** PEM. */
  readonly certificate: string | undefined;
  readonly key: string | undefined;
  /** The `authorization` header; undefined without. */
  readonly authorization: () => Promise<string | undefined>;
}

/** Finds the user for a webhook by the `host:port` that it is called at. */
export type WebhookUsers = (server: string) => Promise<WebhookUser | undefined>;

/**
 * The users of a kubeconfig file, whose names are those of servers: `hooks.ns.svc:8443`, `*.ns.svc:8443`, the same
 * without the port 443, or `*` for all others. Throws a KubeconfigError.
 */
export async function readWebhookUsers(
  path: string,
  context: Pick<PartContext, 'readFile' | 'clock'>,
): Promise<WebhookUsers> {
  const { byName, current } = readKubeconfigUsers(await context.readFile(path), path);
  return async (server) => {
    const user = firstOf(byName, namesFor(server)) ?? current;
    return user === undefined ? undefined : await webhookUser(user, context);
  };
}

function firstOf(byName: ReadonlyMap<string, KubeconfigUser>, names: Iterable<string>): KubeconfigUser | undefined {
  for (const name of names) {
    const user = byName.get(name);
    if (user !== undefined) return user;
  }
  return undefined;
}

const defaultPort = ':443';

/** The names of users that are meant for a server, the best one first. */
export function* namesFor(server: string): Generator<string, void> {
  yield* withWildcards(server);
  if (server.endsWith(defaultPort)) yield* withWildcards(server.slice(0, -defaultPort.length));
  yield '*';
}

function* withWildcards(server: string): Generator<string, void> {
  yield server;
  for (let dot = server.indexOf('.'); dot !== -1; dot = server.indexOf('.', dot + 1)) yield `*${server.slice(dot)}`;
}

async function webhookUser(
  user: KubeconfigUser,
  context: Pick<PartContext, 'readFile' | 'clock'>,
): Promise<WebhookUser> {
  const pemText = async (pem: Pem | undefined): Promise<string | undefined> =>
    pem === undefined || 'text' in pem ? pem?.text : await context.readFile(pem.path);
  const [certificate, key] = await Promise.all([pemText(user.certificate), pemText(user.key)]);
  return { certificate, key, authorization: authorizationOf(user, context) };
}
