import type { KubernetesObject } from '../../api/meta/object.ts';
import {
  compareSemanticVersions,
  type SemanticVersion,
  semanticVersionOf,
  zeroVersion,
} from '../../api/values/semantic-version.ts';
import { parseMicroTime } from '../../api/time/time.ts';
import type { LeaseCandidate } from '../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { expiryOf, isExpired, type StoredLease } from '../stored-lease.ts';

export type StoredCandidate = KubernetesObject & LeaseCandidate;

/** The strategy by which this server elects; leases with another one are for other programs. */
const oldestEmulationVersion = 'OldestEmulationVersion';

/** Candidates have this long to answer. */
export const electionMs = 5_000;
/** Candidates that have not renewed for this long do not count, and are deleted. */
const candidateMs = 30 * 60_000;

/** What to do for a Lease now. Waiting without an end lasts until an event. */
export type ElectionStep =
  | { readonly kind: 'wait'; readonly untilMs: number | undefined }
  /** These candidates are asked to renew. */
  | { readonly kind: 'ask'; readonly candidates: readonly StoredCandidate[] }
  | { readonly kind: 'elect'; readonly strategy: string; readonly holder: string | undefined };

/** Candidates of one binary version do not agree on how to elect. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError';
  readonly code = 'STRATEGY';
}

/**
 * One step of the election for a Lease (KEP-4355): what comes next follows from the Lease and its candidates alone.
 *
 * | state                                                             | step                                     |
 * |-------------------------------------------------------------------|------------------------------------------|
 * | the holder is the best candidate, and all were heard of lately    | wait for the Lease or a candidate to age |
 * | a candidate has not renewed since it was asked, which is recent   | wait for its answer                      |
 * | a candidate has neither renewed recently nor been asked           | ask it                                   |
 * | all that answer have renewed recently                             | elect one of them                        |
 *
 * Throws a StrategyError.
 */
export function electionStep(
  lease: StoredLease | undefined,
  all: readonly StoredCandidate[],
  nowMs: number,
): ElectionStep {
  const candidates = all.filter((candidate) => renewedAt(candidate) + candidateMs >= nowMs);
  if (candidates.length === 0) return { kind: 'wait', untilMs: undefined };
  const settledUntilMs = settledUntil(lease, candidates, nowMs);
  if (settledUntilMs > nowMs) {
    return { kind: 'wait', untilMs: Number.isFinite(settledUntilMs) ? settledUntilMs : undefined };
  }
  const requested = candidates.filter(
    (candidate) => !hasAnswered(candidate) && pingedAt(candidate) + electionMs > nowMs,
  );
  const unpinged = candidates.filter(
    (candidate) =>
      renewedAt(candidate) + electionMs <= nowMs && hasAnswered(candidate) && pingedAt(candidate) + electionMs < nowMs,
  );
  if (unpinged.length > 0) return { kind: 'ask', candidates: unpinged };
  if (requested.length > 0) return { kind: 'wait', untilMs: Math.min(...requested.map(pingedAt)) + electionMs };
  const present = candidates.filter((candidate) => renewedAt(candidate) + electionMs > nowMs);
  if (present.length === 0) return { kind: 'wait', untilMs: undefined };
  const strategy = strategyOf(present);
  return { kind: 'elect', strategy, holder: strategy === oldestEmulationVersion ? best(present) : undefined };
}

/** When the candidate is to be deleted unless it renews; one that never has is not deleted at once. */
export function expiryOfCandidate(candidate: StoredCandidate): number {
  const { spec, metadata } = candidate;
  return (spec?.renewTime === undefined ? createdAt(metadata) : renewedAt(candidate)) + candidateMs;
}

/** Until when nothing has to be elected if nothing happens; in the past if something has to. */
function settledUntil(lease: StoredLease | undefined, candidates: readonly StoredCandidate[], nowMs: number): number {
  // Whoever holds the Lease, candidates are asked before they would expire.
  const agesMs = Math.min(...candidates.map(renewedAt)) + candidateMs / 2;
  if (lease === undefined || agesMs < nowMs) return Number.NEGATIVE_INFINITY;
  const strategy = strategyOf(candidates);
  const isOther = strategy !== oldestEmulationVersion;
  const { holderIdentity = '' } = lease.spec ?? {};
  // Another program gives the Lease a holder.
  if (isOther && lease.spec?.strategy === strategy) return agesMs;
  if (holderIdentity === '' || isExpired(lease, nowMs)) return Number.NEGATIVE_INFINITY;
  const isBest = isOther || best(candidates) === holderIdentity;
  return isBest ? Math.min(agesMs, expiryOf(lease) + 1) : Number.NEGATIVE_INFINITY;
}

/** The strategy of the newest binary, which knows the most. */
function strategyOf(candidates: readonly StoredCandidate[]): string {
  const newest = candidates.reduce((one, other) => (compareBinaries(one, other) >= 0 ? one : other));
  const { strategy = '' } = newest.spec ?? {};
  const opponent = candidates.find(
    (candidate) => compareBinaries(candidate, newest) === 0 && (candidate.spec?.strategy ?? '') !== strategy,
  );
  if (opponent === undefined) return strategy;
  const names = [newest, opponent].map(({ metadata }) => metadata.name).join(', ');
  throw new StrategyError(`candidates of the same binary version have different strategies: ${names}`);
}

/** The candidate with the oldest emulated version; of several, the oldest binary, then the oldest object. */
function best(candidates: readonly StoredCandidate[]): string | undefined {
  return candidates.toSorted(byPreference)[0]?.metadata.name;
}

function byPreference(one: StoredCandidate, other: StoredCandidate): number {
  return (
    compareSemanticVersions(versionOf(one.spec?.emulationVersion), versionOf(other.spec?.emulationVersion)) ||
    compareBinaries(one, other) ||
    createdAt(one.metadata) - createdAt(other.metadata)
  );
}

function createdAt({ creationTimestamp = '' }: KubernetesObject['metadata']): number {
  return Date.parse(creationTimestamp);
}

function compareBinaries(one: StoredCandidate, other: StoredCandidate): number {
  return compareSemanticVersions(versionOf(one.spec?.binaryVersion), versionOf(other.spec?.binaryVersion));
}

function versionOf(text = ''): SemanticVersion {
  return semanticVersionOf(text) ?? zeroVersion;
}

/** Whether the candidate has renewed since it was asked last, if it ever was. */
function hasAnswered(candidate: StoredCandidate): boolean {
  return renewedAt(candidate) >= pingedAt(candidate);
}

function renewedAt({ spec }: StoredCandidate): number {
  return timeOf(spec?.renewTime);
}

function pingedAt({ spec }: StoredCandidate): number {
  return timeOf(spec?.pingTime);
}

/** In milliseconds; before everything if there is none. */
function timeOf(text: string | undefined): number {
  return text === undefined ? Number.NEGATIVE_INFINITY : parseMicroTime(text).epochMs;
}
