import { expect, test } from 'vitest';
import type { Pod } from '../../../schema/kubernetes/generated/types/core-v1.ts';
import { allOf } from '../../../api/errors/findings.ts';
import { podLimitErrors } from './limit-range-errors.ts';

function podOf(requests: { readonly [resource: string]: string }, limits = requests): Pod {
  return { spec: { containers: [{ name: 'c', resources: { requests, limits } }] } };
}

test('amounts too large for thousandths are compared in units', () => {
  const limits = [{ type: 'Container', max: { memory: '8Ei' } }];
  expect(allOf(podLimitErrors(podOf({ memory: '7Ei' }), limits))).toEqual([]);
  expect(allOf(podLimitErrors(podOf({ memory: '7Ei' }), [{ type: 'Container', max: { memory: '6Ei' } }]))).toEqual([
    'maximum memory usage per Container is 6Ei, but limit is 7Ei',
  ]);
});

test('a ratio is shown with six digits', () => {
  const limits = [{ type: 'Container', maxLimitRequestRatio: { cpu: '3' } }];
  expect(allOf(podLimitErrors(podOf({ cpu: '3' }, { cpu: '10' }), limits))).toEqual([
    'cpu max limit to request ratio per Container is 3, but provided ratio is 3.333333',
  ]);
});

test('resources named like inherited object members are ignored', () => {
  const limits = [{ type: 'Container', min: { constructor: '1' } as { [resource: string]: string } }];
  expect(allOf(podLimitErrors(podOf({}), limits))).toEqual([
    'minimum constructor usage per Container is 1.  No request is specified',
  ]);
});
