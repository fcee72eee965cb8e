import { expect, test } from 'vitest';
import { checkLogging, type LoggingConfig } from './logging-config.ts';

const byDefault = new Map([
  ['LoggingAlphaOptions', false],
  ['LoggingBetaOptions', true],
]);
const split = { splitStream: true, infoBufferBytes: 0 };
const alpha = 'Forbidden: Feature LoggingAlphaOptions is disabled';

// As kube-apiserver 1.37.1 says it.
test.each<[Partial<LoggingConfig>, string]>([
  [{ format: 'xml' }, 'format: Invalid value: "xml": Unsupported log format'],
  [{ format: '' }, 'format: Invalid value: "": Unsupported log format'],
  [
    { format: 'json', modules: [{ pattern: 'a', verbosity: 1 }] },
    'vmodule: Forbidden: Only supported for text log format',
  ],
  [{ flushMs: 0 }, 'flushFrequency: Invalid value: "0s": Must be greater than zero'],
  [{ flushMs: -5_000 }, 'flushFrequency: Invalid value: "-5s": Must be greater than zero'],
  [{ text: split }, `options.text.splitStream: ${alpha}`],
  [{ text: split, json: split }, `[options.text.splitStream: ${alpha}, options.json.splitStream: ${alpha}]`],
  [{ json: { splitStream: false, infoBufferBytes: 1 } }, `options.json.infoBufferSize: ${alpha}`],
  [
    { format: 'xml', flushMs: 0, json: split },
    `[flushFrequency: Invalid value: "0s": Must be greater than zero, format: Invalid value: "xml": Unsupported log format, options.json.splitStream: ${alpha}]`,
  ],
])('%j is refused', (config, problem) => {
  expect(() => checkLogging({ level: 'info', ...config }, byDefault)).toThrow(
    expect.objectContaining({ message: problem }),
  );
});

test('gates decide about formats and options', () => {
  const json = { level: 'info', format: 'json' } as const;
  expect(() => checkLogging(json, byDefault)).not.toThrow();
  expect(() => checkLogging(json, new Map([['LoggingBetaOptions', false]]))).toThrow(
    'format: Forbidden: Log format json is disabled, see LoggingBetaOptions feature',
  );
  const gates = new Map([['LoggingAlphaOptions', true]]);
  expect(() => checkLogging({ level: 'info', text: split, json: split }, gates)).not.toThrow();
});
