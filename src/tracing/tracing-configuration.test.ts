import { expect, test } from 'vitest';
import { collectorTarget } from './collector-target.ts';
import { parseTracingConfiguration } from './tracing-configuration.ts';

const head = 'apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\n';
const schemeRule =
  'Options are none, dns, unix, or unix-abstract.  See https://github.com/grpc/grpc/blob/master/doc/naming.md';
const undecodable = 'failed to read tracing config: unable to decode tracing configuration data:';

// As kube-apiserver answers these files.
test.each([
  [
    `${head}samplingRatePerMillion: -1`,
    'failed to validate tracing configuration: samplingRatePerMillion: Invalid value: -1: sampling rate must be positive',
  ],
  [
    `${head}samplingRatePerMillion: 1000001\nendpoint: http://localhost:4317`,
    `failed to validate tracing configuration: [samplingRatePerMillion: Invalid value: 1000001: sampling rate per million must be less than or equal to one million, endpoint: Invalid value: "http://localhost:4317": unsupported scheme: http.  ${schemeRule}]`,
  ],
  [
    `${head}endpoint: "dn%2s://localhost:4317"`,
    'failed to validate tracing configuration: endpoint: Invalid value: "dn%2s://localhost:4317": parse "dn%2s://localhost:4317": first path segment in URL cannot contain colon',
  ],
  [
    `${head}endpoint: a:b:c`,
    'failed to validate tracing configuration: endpoint: Invalid value: "dns://a:b:c": parse "dns://a:b:c": invalid port ":c" after host',
  ],
  [`${head}foo: bar`, `${undecodable} strict decoding error: unknown field "foo"`],
  [
    `${head}endpoint: 5`,
    `${undecodable} json: cannot unmarshal number into Go struct field TracingConfiguration.TracingConfiguration.endpoint of type string`,
  ],
  [
    `${head}samplingRatePerMillion: 1.5`,
    `${undecodable} json: cannot unmarshal number 1.5 into Go struct field TracingConfiguration.TracingConfiguration.samplingRatePerMillion of type int32`,
  ],
  [
    'apiVersion: apiserver.config.k8s.io/v2\nkind: TracingConfiguration',
    `${undecodable} no kind "TracingConfiguration" is registered for version "apiserver.config.k8s.io/v2" in scheme "pkg/runtime/scheme.go:111"`,
  ],
  [
    'apiVersion: apiserver.config.k8s.io/v1\nkind: AdmissionConfiguration',
    `${undecodable} converting (v1.AdmissionConfiguration) to (apiserver.TracingConfiguration): unknown conversion`,
  ],
  ['a: [', `${undecodable} yaml: line 1: did not find expected node content`],
])('%j is refused', async (text, message) => {
  await expect(parseTracingConfiguration(text)).rejects.toThrow(
    expect.objectContaining({ message, name: 'ConfigError' }),
  );
});

test.each(['v1', 'v1beta1', 'v1alpha1'])('version %s', async (version) => {
  const text = `apiVersion: apiserver.config.k8s.io/${version}\nkind: TracingConfiguration\nsamplingRatePerMillion: 5`;
  expect(await parseTracingConfiguration(text)).toMatchObject({ samplingRatePerMillion: 5 });
});

test('a file need not say what it is', async () => {
  expect(await parseTracingConfiguration('endpoint: x:1\n')).toMatchObject({ endpoint: 'x:1' });
  await parseTracingConfiguration('');
});

test.each([
  [undefined, 'localhost:4317'],
  ['collector:4317', 'collector:4317'],
  ['[::1]:4317', '[::1]:4317'],
  ['dns:///collector:4317', 'dns:///collector:4317'],
  ['dns://resolver/collector:4317', 'dns://resolver/collector:4317'],
  ['dns://collector:4317', 'collector:4317'],
  ['unix:///run/collector.sock', 'unix:///run/collector.sock'],
])('the collector at %s', (endpoint, target) => {
  expect(collectorTarget(endpoint)).toBe(target);
});
