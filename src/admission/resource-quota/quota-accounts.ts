import { amountsOf } from '../pod-amounts.ts';
import { addAmounts, growthOf, maskAmounts } from './quota-amounts.ts';
import type { StoredQuota } from './request-check.ts';

/** A stored quota, and what has been charged since. */
interface Account {
  readonly stored: StoredQuota;
  /** The same object when nothing is due. */
  readonly charged: StoredQuota;
  /** When it was last written here. */
  readonly writtenMs: number;
}

/** The known quotas of one namespace. */
export class QuotaAccounts {
  #accounts: ReadonlyMap<string, Account> = new Map();

  /** Takes over the state of the watch cache, which may lag behind our own writes. */
  refresh(known: readonly StoredQuota[]): void {
    this.#accounts = new Map(
      known.map((quota) => {
        const name = nameOf(quota);
        const account = this.#accounts.get(name);
        if (account === undefined || account.stored.metadata.uid !== quota.metadata.uid) return [name, opened(quota)];
        return [name, versionOf(quota) > versionOf(account.stored) ? rebased(account, quota) : account];
      }),
    );
  }

  /** With all charges. */
  get quotas(): readonly StoredQuota[] {
    return [...this.#accounts.values()].map(({ charged }) => charged);
  }

  /** Whether it differs from the stored state. */
  isDue({ metadata: { name = '' } }: StoredQuota): boolean {
    const account = this.#accounts.get(name);
    return account !== undefined && isDue(account);
  }

  writtenMs({ metadata: { name = '' } }: StoredQuota): number {
    return this.#accounts.get(name)?.writtenMs ?? Number.NEGATIVE_INFINITY;
  }

  /** Charged, and to be written later. */
  charge(quotas: readonly StoredQuota[]): void {
    const charged = new Map(quotas.map((quota) => [nameOf(quota), quota]));
    this.#accounts = new Map(
      [...this.#accounts].map(([name, account]) => {
        const quota = charged.get(name) ?? account.charged;
        return [name, quota === account.charged ? account : { ...account, charged: quota }];
      }),
    );
  }

  /** Written as it is charged. */
  written(quota: StoredQuota, writtenMs: number): void {
    this.#set(nameOf(quota), { stored: quota, charged: quota, writtenMs });
  }

  /** Written or deleted by others: pending charges are applied to the current state. */
  found(name: string, quota: StoredQuota | undefined): void {
    const account = this.#accounts.get(name);
    if (quota === undefined) this.#accounts = new Map([...this.#accounts].filter(([other]) => other !== name));
    else this.#set(name, account === undefined ? opened(quota) : rebased(account, quota));
  }

  #set(name: string, account: Account): void {
    this.#accounts = new Map([...this.#accounts, [name, account]]);
  }
}

function opened(quota: StoredQuota): Account {
  return { stored: quota, charged: quota, writtenMs: Number.NEGATIVE_INFINITY };
}

function isDue({ stored, charged }: Account): boolean {
  return stored !== charged;
}

function rebased(account: Account, quota: StoredQuota): Account {
  const { writtenMs } = account;
  if (!isDue(account)) return { stored: quota, charged: quota, writtenMs };
  const used = amountsOf(quota.status?.used);
  const due = growthOf(amountsOf(account.charged.status?.used), amountsOf(account.stored.status?.used));
  const next = addAmounts(used, maskAmounts(due, used));
  return {
    stored: quota,
    charged: { ...quota, status: { ...quota.status, used: Object.fromEntries(next) } },
    writtenMs,
  };
}

function nameOf({ metadata: { name = '' } }: StoredQuota): string {
  return name;
}

function versionOf({ metadata }: StoredQuota): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}
