import { describe, expect, test } from 'vitest';
import { formatMicroTime, timeOf } from '../../api/time/time.ts';
import type { LeaseSpec } from '../../schema/kubernetes/generated/types/coordination-v1.ts';
import type { LeaseCandidateSpec } from '../../schema/kubernetes/generated/types/coordination-v1beta1.ts';
import { type StoredLease } from '../stored-lease.ts';
import { electionStep, expiryOfCandidate, type StoredCandidate } from './election-step.ts';

const nowMs = Date.UTC(2026, 0, 1);
const at = (agoMs: number): string => formatMicroTime(timeOf(nowMs - agoMs));
const minute = 60_000;

function candidate(name: string, spec: LeaseCandidateSpec = {}, createdAgoMs = 0): StoredCandidate {
  const defaults = { binaryVersion: '1.37.0', emulationVersion: '1.37.0', strategy: 'OldestEmulationVersion' };
  return {
    apiVersion: 'coordination.k8s.io/v1beta1',
    kind: 'LeaseCandidate',
    metadata: { name, namespace: 'x', creationTimestamp: new Date(nowMs - createdAgoMs).toISOString() },
    spec: { leaseName: 'lease', ...defaults, renewTime: at(1000), ...spec },
  };
}

function lease(spec: LeaseSpec = {}): StoredLease {
  const metadata = { name: 'lease', namespace: 'x' };
  const held = { holderIdentity: 'a', leaseDurationSeconds: 5, renewTime: at(1000) };
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec: { ...held, ...spec } };
}

const elected = (holder: string | undefined, strategy = 'OldestEmulationVersion'): object => ({
  kind: 'elect',
  strategy,
  holder,
});

describe('whoever emulates the oldest version is elected', () => {
  test.each([
    ['the only one', [candidate('a')], 'a'],
    ['of several', [candidate('a'), candidate('b', { emulationVersion: '1.36.0' })], 'b'],
    [
      'by numbers',
      [candidate('a', { emulationVersion: '1.9.0' }), candidate('b', { emulationVersion: '1.10.0' })],
      'a',
    ],
    ['then of the oldest binary', [candidate('a', { binaryVersion: '1.38.0' }), candidate('b')], 'b'],
    ['then the oldest one', [candidate('a'), candidate('b', {}, 5000)], 'b'],
    ['a pre-release before its release', [candidate('a'), candidate('b', { emulationVersion: '1.37.0-rc.1' })], 'b'],
    ['of those that still count', [candidate('a'), candidate('b', { renewTime: at(31 * minute) }, 5000)], 'a'],
  ])('%s', (_, candidates, holder) => {
    expect(electionStep(undefined, candidates, nowMs)).toEqual(elected(holder));
  });
});

describe('a Lease', () => {
  test.each([
    ['that nobody holds', { holderIdentity: '' }],
    ['without a renewal', { renewTime: undefined }],
    ['that has run out', { renewTime: at(5001) }],
    ['held by another one than the best', { holderIdentity: 'b' }],
  ])('%s is given to the best', (_, spec) => {
    const { renewTime, ...rest } = { ...lease().spec, ...spec };
    const given = { ...lease(), spec: renewTime === undefined ? rest : { ...rest, renewTime } };
    expect(electionStep(given, [candidate('a'), candidate('b')], nowMs)).toEqual(elected('a'));
  });

  test('held by the best is looked at when it may have run out', () => {
    expect(electionStep(lease(), [candidate('a')], nowMs)).toEqual({ kind: 'wait', untilMs: nowMs + 4001 });
  });

  test('held by the best, whose candidate ages, is looked at before that expires', () => {
    const old = candidate('a', { renewTime: at(14 * minute) });
    const long = lease({ leaseDurationSeconds: 3600 });
    expect(electionStep(long, [old], nowMs)).toEqual({ kind: 'wait', untilMs: nowMs + minute });
    const older = candidate('a', { renewTime: at(16 * minute) });
    expect(electionStep(long, [older], nowMs)).toEqual({ kind: 'ask', candidates: [older] });
  });

  test('without candidates is left alone', () => {
    expect(electionStep(undefined, [], nowMs)).toEqual({ kind: 'wait', untilMs: undefined });
  });
});

describe('candidates that were not heard of lately', () => {
  const silent = candidate('a', { renewTime: at(6000) });

  test('are asked', () => {
    expect(electionStep(undefined, [silent, candidate('b')], nowMs)).toEqual({ kind: 'ask', candidates: [silent] });
  });

  test('have five seconds to answer', () => {
    const pinged = candidate('a', { renewTime: at(9000), pingTime: at(2000) });
    expect(electionStep(undefined, [pinged, candidate('b')], nowMs)).toEqual({ kind: 'wait', untilMs: nowMs + 3000 });
  });

  test('are passed over when they do not', () => {
    const gone = candidate('a', { renewTime: at(9000), pingTime: at(6000), emulationVersion: '1.30.0' });
    expect(electionStep(undefined, [gone, candidate('b')], nowMs)).toEqual(elected('b'));
    expect(electionStep(undefined, [gone], nowMs)).toEqual({ kind: 'wait', untilMs: undefined });
  });

  test('are asked again when they have answered long ago', () => {
    const answered = candidate('a', { renewTime: at(6000), pingTime: at(6001) });
    expect(electionStep(undefined, [answered], nowMs)).toEqual({ kind: 'ask', candidates: [answered] });
  });
});

test('a candidate expires half an hour after its last renewal, or after its creation if it has none', () => {
  expect(expiryOfCandidate(candidate('a', {}, 5000))).toBe(nowMs - 1000 + 30 * minute);
  const { renewTime: _, ...spec } = candidate('a').spec ?? {};
  const never = { ...candidate('a', {}, 5000), spec };
  expect(expiryOfCandidate(never)).toBe(nowMs - 5000 + 30 * minute);
  expect(electionStep(undefined, [never], nowMs)).toEqual({ kind: 'wait', untilMs: undefined });
});

describe('another strategy', () => {
  const strategy = 'example.com/any';
  const other = candidate('b', { strategy, binaryVersion: '1.38.0' });

  test('is that of the newest binary, and names no holder', () => {
    expect(electionStep(undefined, [candidate('a'), other], nowMs)).toEqual(elected(undefined, strategy));
  });

  test('is left to others once the Lease has it', () => {
    const given = lease({ strategy, holderIdentity: '' });
    expect(electionStep(given, [other], nowMs)).toEqual({ kind: 'wait', untilMs: nowMs - 1000 + 15 * minute });
  });

  test('of the same binary is an error', () => {
    const same = candidate('b', { strategy });
    expect(() => electionStep(undefined, [candidate('a'), same], nowMs)).toThrow(
      'candidates of the same binary version have different strategies: a, b',
    );
  });
});
