import { amountsOf } from '../parts/pod-amounts.ts';
import { ChargedQuota, type StoredQuota } from './charged-quota.ts';
import { growthOf, maskAmounts } from './quota-amounts.ts';

/** A quota, and what has been charged to it since it was stored. */
interface Account {
  readonly stored: ChargedQuota;
  /** `stored` with what has been charged; `stored` itself when nothing has been. */
  readonly charged: ChargedQuota;
  /** When it was last written here. */
  readonly writtenMs: number;
}

/** The known quotas of one namespace. */
export class QuotaAccounts {
  #known: readonly StoredQuota[] = [];
  readonly #accounts = new Map<string, Account>();

  /** Takes over the state of the watch cache, which may lag behind our own writes. */
  refresh(known: readonly StoredQuota[]): void {
    if (known.length === this.#known.length && known.every((quota, index) => quota === this.#known[index])) return;
    this.#known = known;
    const accounts = known.map((quota) => this.#refreshed(quota));
    this.#accounts.clear();
    for (const account of accounts) this.#accounts.set(account.charged.name, account);
  }

  #refreshed(quota: StoredQuota): Account {
    const account = this.#accounts.get(nameOf(quota));
    if (account === undefined || account.stored.stored.metadata.uid !== quota.metadata.uid) return opened(quota);
    return versionOf(quota) > versionOf(account.stored.stored) ? rebased(account, quota) : account;
  }

  /** With all charges. */
  get quotas(): readonly ChargedQuota[] {
    const quotas: ChargedQuota[] = [];
    for (const { charged } of this.#accounts.values()) quotas.push(charged);
    return quotas;
  }

  /** Whether it differs from the stored state. */
  isDue({ name }: ChargedQuota): boolean {
    const account = this.#accounts.get(name);
    return account !== undefined && account.stored !== account.charged;
  }

  writtenMs({ name }: ChargedQuota): number {
    return this.#accounts.get(name)?.writtenMs ?? Number.NEGATIVE_INFINITY;
  }

  /** Charged, and to be written later. */
  charge(quotas: readonly ChargedQuota[]): void {
    for (const charged of quotas) {
      const account = this.#accounts.get(charged.name);
      if (account !== undefined) this.#accounts.set(charged.name, { ...account, charged });
    }
  }

  /** Written as it is charged. */
  written(quota: StoredQuota, writtenMs: number): void {
    this.#accounts.set(nameOf(quota), { ...opened(quota), writtenMs });
  }

  /** Written or deleted by others: pending charges are applied to the current state. */
  found(name: string, quota: StoredQuota | undefined): void {
    const account = this.#accounts.get(name);
    if (quota === undefined) this.#accounts.delete(name);
    else this.#accounts.set(name, account === undefined ? opened(quota) : rebased(account, quota));
  }
}

function opened(quota: StoredQuota): Account {
  const stored = ChargedQuota.of(quota);
  return { stored, charged: stored, writtenMs: Number.NEGATIVE_INFINITY };
}

function rebased({ stored, charged, writtenMs }: Account, quota: StoredQuota): Account {
  const next = ChargedQuota.of(quota);
  if (stored === charged) return { stored: next, charged: next, writtenMs };
  const due = growthOf(charged.usedAmounts, stored.usedAmounts);
  return { stored: next, charged: next.plus(maskAmounts(due, amountsOf(quota.status?.used))), writtenMs };
}

function nameOf({ metadata: { name = '' } }: StoredQuota): string {
  return name;
}

function versionOf({ metadata }: StoredQuota): bigint {
  return BigInt(metadata.resourceVersion ?? '0');
}
