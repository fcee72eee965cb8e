import { expect, test } from 'vitest';
import { expositionFormat } from './exposition-format.ts';

const message = 'application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily';
const protobuf = 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited';
const text = 'text/plain; version=0.0.4; charset=utf-8';

// As kube-apiserver answers.
test.each([
  [undefined, `${text}; escaping=underscores`],
  ['', `${text}; escaping=underscores`],
  ['*/*', `${text}; escaping=underscores`],
  ['application/json', `${text}; escaping=underscores`],
  ['text/plain', `${text}; escaping=underscores`],
  ['text/plain;version=1.0.0', `${text}; escaping=underscores`],
  ['application/openmetrics-text;version=1.0.0', `${text}; escaping=underscores`],
  ['application/vnd.google.protobuf', `${text}; escaping=underscores`],
  ['application/vnd.google.protobuf;proto=foo;encoding=delimited', `${text}; escaping=underscores`],
  [`${message};encoding=delimited`, `${protobuf}; escaping=underscores`],
  [`${message};encoding=delimited;escaping=allow-utf-8`, `${protobuf}; escaping=allow-utf-8`],
  [`${message};encoding=delimited;escaping=none`, `${protobuf}; escaping=underscores`],
  [`${message};encoding=delimited;q=0.6,text/plain;version=0.0.4;q=0.3,*/*;q=0.1`, `${protobuf}; escaping=underscores`],
  [`text/plain;version=0.0.4;q=0.9,${message};encoding=delimited;q=0.1`, `${text}; escaping=underscores`],
  [`APPLICATION/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily`, `${text}; escaping=underscores`],
])('Accept: %s', (accept, contentType) => {
  expect(expositionFormat(accept).contentType).toBe(contentType);
});
