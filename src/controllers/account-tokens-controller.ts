import type { KubernetesObject } from '../api/meta/object.ts';
import { isReason } from '../api/errors/status.ts';
import { legacyToken } from '../authentication/service-account/legacy-token.ts';
import {
  accountNameAnnotation,
  accountSecretType,
  accountUidAnnotation,
  type StoredAccount,
  type StoredSecret,
} from './account-secrets.ts';
import { ControlLoop } from './control-loop.ts';
import type { ControllerContext } from './controller-context.ts';
import { secrets, serviceAccounts } from './core-collections.ts';
import { deleteIfSame } from './delete-if-same.ts';
import { type FollowedObjects, keyOf } from './followed-objects.ts';

/** The work: a secret has changed, or an account is gone. */
interface Task {
  readonly kind: 'secret' | 'account';
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** The account of a secret; the uid is empty if the secret has not been filled yet. */
  readonly accountName: string;
  readonly accountUid: string;
}

/** After that, the key is dropped until the object changes. */
const attempts = 11;

/**
 * Fills service account token secrets.
 *
 * | secret | account | |
 * |---|---|---|
 * | exists | exists | gets the token, the namespace and the CA |
 * | exists | is gone or was replaced | is deleted |
 * | is gone | exists | is removed from the account's secrets |
 */
export class AccountTokensController implements AsyncDisposable {
  readonly #context: ControllerContext;
  readonly #authority: string;
  readonly #loop: ControlLoop;
  readonly #held: FollowedObjects<StoredSecret>;
  readonly #accounts: FollowedObjects<StoredAccount>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#authority = base64(context.rootCa);
    this.#loop = new ControlLoop(context, (key) => this.#work(JSON.parse(key) as Task), {
      queue: 'serviceaccount_tokens_service',
      attempts,
    });
    const add = (task: Task): void => this.#loop.queue.add(JSON.stringify(task));
    this.#held = this.#loop.follow(secrets, {
      mentions: accountSecretType,
      keep: (object) => (object['type'] === accountSecretType ? (object as StoredSecret) : undefined), // decoded by its schema
      group: ({ metadata: { namespace = '', annotations } }) =>
        keyOf(namespace, annotations?.[accountNameAnnotation] ?? ''),
      changed: ({ now, before }) => {
        const secret = now ?? before;
        if (secret !== undefined) add(secretTask(secret));
      },
    });
    this.#accounts = this.#loop.follow(serviceAccounts, {
      keep: (object) => object as StoredAccount, // decoded by its schema
      changed: ({ now, before }) => {
        if (before !== undefined && uidOf(before) !== uidOf(now)) add(accountTask(before));
      },
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#loop[Symbol.asyncDispose]();
  }

  async #work({ kind, namespace, name, uid, ...account }: Task): Promise<void> {
    if (kind === 'account') return this.#deleteTokens(namespace, name, uid);
    if (account.accountName === '') return;
    const secret = this.#held.get(namespace, name);
    if (secret === undefined || uidOf(secret) !== uid) return this.#forget(namespace, name, account);
    const owner = this.#knownAccount(namespace, account) ?? (await this.#liveAccount(namespace, account));
    if (owner === undefined) await deleteIfSame(this.#context.client, secrets, secret);
    else if (this.#isIncomplete(secret)) await this.#fill(secret, owner);
  }

  #knownAccount(namespace: string, { accountName, accountUid }: AccountName): StoredAccount | undefined {
    const account = this.#accounts.get(namespace, accountName);
    return account !== undefined && isOf(account, accountUid) ? account : undefined;
  }

  async #liveAccount(namespace: string, { accountName, accountUid }: AccountName): Promise<StoredAccount | undefined> {
    try {
      const found = await this.#context.client.get({ ...serviceAccounts, namespace, name: accountName });
      return isOf(found, accountUid) ? (found as StoredAccount) : undefined; // of that kind
    } catch (error) {
      if (isReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async #deleteTokens(namespace: string, name: string, uid: string): Promise<void> {
    if (this.#knownAccount(namespace, { accountName: name, accountUid: uid }) !== undefined) return;
    for (const secret of this.#held.in(keyOf(namespace, name))) {
      if (['', uid].includes(uidIn(secret))) await deleteIfSame(this.#context.client, secrets, secret);
    }
  }

  async #forget(namespace: string, secretName: string, account: AccountName): Promise<void> {
    if (this.#knownAccount(namespace, account) === undefined) return;
    const live = await this.#liveAccount(namespace, account);
    const listed = live?.secrets ?? [];
    const left = listed.filter(({ name }) => name !== secretName);
    if (live === undefined || left.length === listed.length) return;
    await this.#context.client.update(serviceAccounts, { ...live, secrets: left });
  }

  #isIncomplete({ data = {} }: StoredSecret): boolean {
    return data['ca.crt'] !== this.#authority || isEmpty(data['namespace']) || isEmpty(data['token']);
  }

  async #fill(secret: StoredSecret, account: StoredAccount): Promise<void> {
    const { client, accountTokens } = this.#context;
    const { namespace = '', name = '' } = secret.metadata;
    const owner = { name: account.metadata.name ?? '', uid: uidOf(account) };
    const data: { [key: string]: string } = { ...secret.data, 'ca.crt': this.#authority };
    if (isEmpty(data['namespace'])) data['namespace'] = base64(namespace);
    if (isEmpty(data['token']))
      data['token'] = base64(await legacyToken(accountTokens, { namespace, secret: name, account: owner }));
    const annotations = {
      ...secret.metadata.annotations,
      [accountNameAnnotation]: owner.name,
      [accountUidAnnotation]: owner.uid,
    };
    try {
      await client.update(secrets, { ...secret, metadata: { ...secret.metadata, annotations }, data });
    } catch (error) {
      // A watch event with its new state or deletion follows.
      if (!isReason(error, 'Conflict') && !isReason(error, 'NotFound')) throw error;
    }
  }
}

type AccountName = Pick<Task, 'accountName' | 'accountUid'>;

function secretTask(secret: StoredSecret): Task {
  const { namespace = '', name = '', annotations = {} } = secret.metadata;
  const accountName = annotations[accountNameAnnotation] ?? '';
  return { kind: 'secret', namespace, name, uid: uidOf(secret), accountName, accountUid: uidIn(secret) };
}

function accountTask(account: StoredAccount): Task {
  const { namespace = '', name = '' } = account.metadata;
  return { kind: 'account', namespace, name, uid: uidOf(account), accountName: '', accountUid: '' };
}

function uidIn({ metadata }: StoredSecret): string {
  return metadata.annotations?.[accountUidAnnotation] ?? '';
}

/** An empty uid matches every account. */
function isOf(account: KubernetesObject, uid: string): boolean {
  return uid === '' || uidOf(account) === uid;
}

function uidOf(object: KubernetesObject | undefined): string {
  return object?.metadata.uid ?? '';
}

function isEmpty(value: string | undefined): boolean {
  return value === undefined || value === '';
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
