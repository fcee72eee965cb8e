import { expect, test } from 'vitest';
import { mergeTolerations } from './merge-tolerations.ts';

const everything = { operator: 'Exists' };
const boxes = { key: 'box', operator: 'Exists', effect: 'NoSchedule' };
const oneBox = { key: 'box', operator: 'Equal', value: 'v', effect: 'NoSchedule' };
const shortly = { key: 'lost', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 };
const longer = { ...shortly, tolerationSeconds: 30 };

test.each([
  ['equals count once', [boxes], [boxes], [boxes]],
  ['the wider covers the narrower', [oneBox], [boxes], [boxes]],
  ['the wider covers the narrower, whichever comes first', [boxes], [oneBox], [boxes]],
  ['everything covers all', [oneBox, shortly], [everything], [everything]],
  ['longer covers shorter', [shortly], [longer], [longer]],
  [
    'of two that cover each other the later one stays',
    [everything],
    [{ ...everything, value: 'v' }],
    [{ ...everything, value: 'v' }],
  ],
  ['equals apart', [everything, { ...everything, value: 'v' }], [everything], [everything]],
  ['others stay', [oneBox], [shortly], [oneBox, shortly]],
])('%s', (_, first, second, merged) => {
  expect(mergeTolerations(first, second)).toEqual(merged);
});
