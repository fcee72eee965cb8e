import { resolve } from 'node:path';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { lanesOfMachine } from '../server/threads/thread-limits.ts';
import { configDefaults } from '../server/config.ts';
import { controllerFlags } from './controller-flags.ts';
import { delegationFlags } from './delegation-flags.ts';
import { builtFlags } from './built-flags.ts';
import { flag } from './flag.ts';
import { flagFacts } from './flag-facts.ts';
import { boolean } from './flag-types.ts';
import { addServeOptions, type FlagTexts, normalizeArguments, serverConfigOf } from './serve-options.ts';

function configOf(...given: readonly string[]) {
  const args = normalizeArguments(given);
  const command = addServeOptions(new Command('serve'), args)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  command.parse(args, { from: 'user' });
  return serverConfigOf(command.opts<FlagTexts & { dataDir: string }>());
}

describe('the table of flags', () => {
  test('names every flag once', () => {
    const names = flagFacts.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(172);
  });

  test("knows all that are built, but for what the help of the reference hides, other programs' flags and our own", () => {
    const names = new Set(flagFacts.map(({ name }) => name));
    const others = [...controllerFlags, ...delegationFlags];
    const own = builtFlags.filter((each) => !names.has(each.name) && !others.includes(each));
    expect(own.map(({ name, ownType }) => [name, ownType])).toEqual([
      ['service-addresses', 'mapStringString'],
      ['kubelet-port', 'uint'],
      ['api-threads', 'string'],
      ['large-request-lanes', 'int'],
      ['apiserver-count', 'int'],
    ]);
  });

  test('agrees with the defaults of the configuration', () => {
    // Merely giving these has a meaning.
    const shown = flagFacts.filter(
      // Help shows an empty list as `[]`, which cannot be given.
      ({ name, default: text }) => text !== undefined && text !== '[]' && !/^(?:oidc-|anonymous-auth$)/.test(name),
    );
    const built = new Set(builtFlags.filter(({ ownDefault }) => ownDefault !== true).map(({ name }) => name));
    const given = shown
      .filter(({ name }) => built.has(name))
      .map(({ name, default: text = '' }) => {
        // A list of several in help.
        return `--${name}=${text.replace(/^\[(.+)\]$/, '$1')}`;
      });
    expect(given.length).toBeGreaterThan(6);
    expect(configOf(...given)).toEqual(configOf());
  });
});

describe('a row', () => {
  const own = flag('quiet', {
    type: boolean,
    help: 'log nothing',
    ownType: 'bool',
    set: (quiet) => ({ logging: { level: quiet ? 'silent' : 'info' } }),
  });
  const parse = (rows: typeof builtFlags) => {
    const args = normalizeArguments(['--quiet'], rows);
    const command = addServeOptions(new Command('serve'), args, rows).exitOverride();
    command.configureOutput({ writeErr: () => undefined }).parse(args, { from: 'user' });
    return serverConfigOf(command.opts<FlagTexts & { dataDir: string }>(), rows);
  };

  test('is all that a flag needs', () => {
    expect(parse([...builtFlags, own]).logging).toEqual({ level: 'silent' });
    expect(() => parse(builtFlags)).toThrow("unknown option '--quiet'");
  });
});

describe('flags without a value', () => {
  test('give the defaults', () => {
    const own = { apiThreads: 'auto', lanes: lanesOfMachine(), releasesMemory: true } as const;
    const serving = { ...configDefaults.serving, ...own };
    const dataDir = resolve('.binnacle');
    expect(configOf()).toEqual({ ...configDefaults, serving, dataDir, flags: expect.any(Map) });
  });
});

describe('what /flagz shows', () => {
  test.each([
    ['secure-port', '7443'],
    ['v', '2'],
    ['request-timeout', '1m30s'],
    ['feature-gates', 'AllAlpha=true'],
    ['etcd-servers', '[http://a:1,http://b:2]'],
    ['anonymous-auth', 'false'],
    ['event-ttl', '1h0m0s'],
    ['token-auth-file', ''],
    ['storage-media-type', ''],
  ])('%s is %j', (name, value) => {
    const given = ['--secure-port=7443', '-v=2', '--request-timeout=90s', '--feature-gates=AllAlpha=true'];
    const { flags } = configOf(...given, '--etcd-servers=http://a:1,http://b:2', '--anonymous-auth=0');
    expect(flags.get(name)).toBe(value);
  });
});

describe('implemented flags', () => {
  test.each([
    [['--secure-port=7443'], { serving: { securePort: 7443 } }],
    [['--secure-port', '0x10'], { serving: { securePort: 16 } }],
    [['--secure_port=1', '--secure-port=2'], { serving: { securePort: 2 } }],
    [['--anonymous-auth=false'], { authentication: { anonymous: false } }],
    [['--disable-http2-serving'], { serving: { http2: false } }],
    [['--request-timeout=1m30.5s'], { requests: { timeoutMs: 90_500 } }],
    [['--max-connection-bytes-per-sec=1000'], { requests: { maxConnectionBytesPerSec: 1_000 } }],
    [['--min-request-timeout=60'], { requests: { minWatchTimeoutMs: 60_000 } }],
    [
      ['--disable-admission-plugins=Priority,ServiceAccount', '--disable-admission-plugins=PodSecurity'],
      { admission: { disablePlugins: ['Priority', 'ServiceAccount', 'PodSecurity'] } },
    ],
    [['--allow-privileged'], { api: { allowPrivileged: true } }],
    [['--enable-admission-plugins=Priority'], { admission: { enablePlugins: ['Priority'] } }],
    [
      ['--default-not-ready-toleration-seconds=7', '--default-unreachable-toleration-seconds=8'],
      { admission: { tolerationSeconds: { notReady: 7, unreachable: 8 } } },
    ],
    [['--event-ttl=2h'], { storage: { eventTtlSeconds: 7_200 } }],
    [['--etcd-prefix=other/'], { storage: { prefix: '/other' } }],
    [['--etcd-compaction-interval=0'], { storage: { compactionIntervalMs: 0 } }],
    [
      ['--etcd-servers=http://a:2379,b', '--etcd-cafile=/ca', '--etcd-certfile=/c', '--etcd-keyfile=/k'],
      { storage: { etcd: { servers: ['http://a:2379', 'b'], caFile: '/ca', certFile: '/c', keyFile: '/k' } } },
    ],
    [['--etcd-healthcheck-timeout=5s'], { storage: { etcd: { healthCheckTimeoutMs: 5_000 } } }],
    [['--etcd-readycheck-timeout=0'], { storage: { etcd: { readyCheckTimeoutMs: 2_000 } } }],
    [
      ['--storage-media-type=application/vnd.kubernetes.protobuf'],
      { storage: { etcd: { mediaType: 'application/vnd.kubernetes.protobuf' } } },
    ],
    [['--storage-media-type='], { storage: { etcd: { mediaType: 'application/json' } } }],
    [['--watch-cache=false'], { storage: { watchCache: { enabled: false } } }],
    [
      ['--strict-transport-security-directives=max-age=5,preload'],
      { serving: { transportSecurity: ['max-age=5', 'preload'] } },
    ],
    [['--lease-reuse-duration-seconds=5'], { storage: { etcd: { leaseReuseSeconds: 5 } } }],
    [['--storage-backend=etcd3', '--storage-media-type=application/json'], {}],
    [['--emulated-version=kube=1.36'], { api: { emulatedVersion: '1.36' } }],
    [['--endpoint-reconciler-type=none'], { serving: { endpointReconciler: 'none' } }],
    [
      ['--endpoint-reconciler-type=master-count', '--apiserver-count=3'],
      { serving: { endpointReconciler: 'master-count', serverCount: 3 } },
    ],
    [['--service-node-port-range=30000+9'], { api: { serviceNodePortRange: { base: 30_000, size: 10 } } }],
    [
      ['--service-cluster-ip-range=10.1.0.0/16,fd00::/112'],
      { api: { serviceClusterIpRanges: ['10.1.0.0/16', 'fd00::/112'] } },
    ],
    [['--tls-min-version=VersionTLS13'], { serving: { tlsMinVersion: 'TLSv1.3' } }],
    [['--cors-allowed-origins=//a$,//b$'], { serving: { corsAllowedOrigins: ['//a$', '//b$'] } }],
    [['--enable-logs-handler'], { logsFolder: '/var/log' }],
    [['--enable-logs-handler=false'], { logsFolder: undefined }],
    [['-v', '6'], { logging: { level: 'info', verbosity: 6 } }],
    [['--v=4'], { logging: { verbosity: 4 } }],
    [
      ['--vmodule=a=1,b*=2', '--vmodule=c=3,'],
      {
        logging: {
          modules: [
            { pattern: 'a', verbosity: 1 },
            { pattern: 'b*', verbosity: 2 },
            { pattern: 'c', verbosity: 3 },
          ],
        },
      },
    ],
    [['--logging-format=json', '--log-flush-frequency=1m'], { logging: { format: 'json', flushMs: 60_000 } }],
    [
      ['--log-json-split-stream', '--log-json-info-buffer-size=64Ki'],
      { logging: { json: { splitStream: true, infoBufferBytes: 65_536 } } },
    ],
    [
      ['--log-text-info-buffer-size=1k', '--log-text-split-stream=false'],
      { logging: { text: { splitStream: false, infoBufferBytes: 1_000 } } },
    ],
  ])('%j', (args, expected) => {
    expect(configOf(...args)).toMatchObject(expected);
  });

  test('watch cache sizes accumulate', () => {
    const { storage } = configOf('--watch-cache-sizes=pods#0,deployments.apps#100', '--watch-cache-sizes=events#5');
    expect([...storage.watchCache.sizes]).toEqual([
      ['events', 5],
      ['events.events.k8s.io', 0],
      ['pods', 0],
      ['deployments.apps', 100],
    ]);
  });

  test('maps accumulate over occurrences, and an omitted value means true', () => {
    const { api } = configOf('--runtime-config=api/all=true,apps/v1=false', '--runtime-config=batch/v1=,api/v1');
    expect(api.runtimeConfig).toEqual(
      new Map([
        ['api/all', true],
        ['apps/v1', false],
        ['batch/v1', true],
        ['api/v1', true],
      ]),
    );
  });

  test('gates may name the component', () => {
    const { api } = configOf('--feature-gates=kube:A=true,B=false');
    expect(api.featureGates).toEqual(
      new Map([
        ['A', true],
        ['B', false],
      ]),
    );
  });
});

describe('refusals', () => {
  test.each([
    [['--etcd-servers-overrides=x'], '--etcd-servers-overrides: "x" is not of the form group/resource#servers'],
    [['--etcd-servers-overrides=/a#b'], '--etcd-servers-overrides requires --etcd-servers'],
    [['--kubernetes-service-node-port=80'], "kubernetes service node port range 30000-32767 doesn't contain 80"],
    [['--tls-sni-cert-key=a.crt'], '--tls-sni-cert-key: expected comma separated certificate and key file paths'],
    [['--etcd-servers=a b'], '--etcd-servers: "a b" is not an address such as https://10.0.0.1:2379'],
    [['--etcd-servers=a', '--etcd-certfile=c'], '--etcd-certfile and --etcd-keyfile must be specified together'],
    [
      ['--coordinated-leadership-lease-duration=5s', '--coordinated-leadership-renew-deadline=5s'],
      '--coordinated-leadership-lease-duration must be greater than --coordinated-leadership-renew-deadline',
    ],
    [
      ['--coordinated-leadership-retry-period=10s'],
      '--coordinated-leadership-renew-deadline must be greater than --coordinated-leadership-retry-period',
    ],
    [['--etcd-cafile=c'], '--etcd-cafile and --etcd-certfile require --etcd-servers'],
    [['--storage-backend=etcd2'], '--storage-backend: unknown storage backend "etcd2", must be etcd3'],
    [
      ['--storage-media-type=application/cbor'],
      '--storage-media-type: must be one of application/json, application/vnd.kubernetes.protobuf',
    ],
    [['--emulated-version=1.38'], /^emulation version 1\.38 is not between \[1\.34, 1\.37\.0\]$/],
    [
      ['--emulated-version=1.33'],
      '[emulation version 1.33 is not between [1.34, 1.37.0], minCompatibilityVersion version 1.34 is not between [1.34, 1.33]]',
    ],
    [
      ['--log-text-info-buffer-size=abc'],
      "--log-text-info-buffer-size: quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    [['-v', 'x'], '--v: strconv.ParseUint: parsing "x": invalid syntax'],
    [['--v=-1'], '--v: strconv.ParseUint: parsing "-1": invalid syntax'],
    [['-v=3000000000'], '--v: strconv.ParseUint: parsing "3000000000": value out of range'],
    [['--vmodule=x'], '--vmodule: "x" does not have the pattern=N format'],
    [['--vmodule==1'], '--vmodule: "=1" does not have the pattern=N format'],
    [['--vmodule=a='], '--vmodule: "a=" does not have the pattern=N format'],
    [['--vmodule=a=1=2'], '--vmodule: "a=1=2" does not have the pattern=N format'],
    [['--vmodule=a=b'], '--vmodule: parsing verbosity in "a=b": strconv.ParseUint: parsing "b": invalid syntax'],
    [['--goaway-chance=1'], '--goaway-chance can not be less than 0 or greater than 0.02'],
    [['--profiling=no'], '--profiling: "no" is neither true nor false'],
    [['--max-requests-inflight=-1'], '--max-requests-inflight can not be negative value'],
    [['--max-mutating-requests-inflight=-1'], '--max-mutating-requests-inflight can not be negative value'],
    [
      ['--max-requests-inflight=0', '--max-mutating-requests-inflight=0'],
      'invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive',
    ],
    [['--authorization-mode=ABAC'], "authorization-mode ABAC's authorization policy file not passed"],
    [['--authorization-mode=Webhook'], "authorization-mode Webhook's authorization config file not passed"],
    [
      ['--authorization-webhook-config-file=x', '--authorization-mode=RBAC'],
      'cannot specify --authorization-webhook-config-file without mode Webhook',
    ],
    [
      ['--authorization-config=x', '--authorization-webhook-version=v1'],
      '--authorization-config can not be specified when --authorization-mode or --authorization-webhook-* flags are defined',
    ],
    [
      ['--authorization-mode=RBAC,RBAC'],
      '--authorization-mode: authorization-mode ["RBAC" "RBAC"] has mode specified more than once',
    ],
    [['--authorization-policy-file=x'], 'cannot specify --authorization-policy-file without mode ABAC'],
    [
      ['--service-account-issuer='],
      '--service-account-issuer: service-account-issuer contained a duplicate or empty value',
    ],
    [
      ['--service-account-max-token-expiration=1m'],
      '--service-account-max-token-expiration: the service-account-max-token-expiration must be between 1 hour and 2^32 seconds',
    ],
    [['--authorization-mode=X'], '--authorization-mode: authorization-mode "X" is not a valid mode'],
    [['--watch-cache-sizes=pods'], '--watch-cache-sizes: invalid value of watch cache size: pods'],
    [['--watch-cache-sizes=pods#x'], '--watch-cache-sizes: invalid size of watch cache size: pods#x'],
    [['--watch-cache-sizes=pods#-1'], '--watch-cache-sizes: watch cache size cannot be negative: pods#-1'],
    [['--goaway-chance=-0.01'], '--goaway-chance can not be less than 0 or greater than 0.02'],
    [['--livez-grace-period=-1s'], '--livez-grace-period can not be a negative value'],
    [['--min-request-timeout=-1'], '--min-request-timeout can not be negative value'],
    [['--shutdown-delay-duration=-1s'], '--shutdown-delay-duration can not be negative value'],
    [
      ['--shutdown-watch-termination-grace-period=-1s'],
      'shutdown-watch-termination-grace-period, if provided, can not be a negative value',
    ],
    [['--storage-initialization-timeout=-1s'], '--storage-initialization-timeout can not be negative value'],
    [['--tls-curve-preferences=1'], 'curve preference 1 is not supported by the current Go version'],
    [['--tls-curve-preferences=23,29', '--tls-curve-preferences=23'], 'duplicate curve preference 23'],
    [['--tls-curve-preferences=70000'], 'curve preference 70000 is out of range (must be 1-65535)'],
    [['--tls-curve-preferences=-1'], 'curve preference -1 is out of range (must be 1-65535)'],
    [['--tls-curve-preferences=x'], '--tls-curve-preferences: "x" is not an integer'],
    [['--min-compatibility-version=1.33'], 'minCompatibilityVersion version 1.33 is not between [1.34, 1.37]'],
    [['--min-compatibility-version=1.38'], 'minCompatibilityVersion version 1.38 is not between [1.34, 1.37]'],
    [['--min-compatibility-version=x'], 'could not parse "x" as version'],
    [['--min-compatibility-version=etcd=1.36'], 'component not registered: etcd'],
    [
      ['--admission-control=AlwaysAdmit', '--enable-admission-plugins=PodSecurity'],
      'admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive',
    ],
    [
      [
        '--feature-gates=UnknownVersionInteroperabilityProxy=false',
        '--peer-ca-file=/x',
        '--peer-advertise-ip=192.0.2.1',
        '--peer-advertise-port=1',
      ],
      '[--peer-ca-file requires UnknownVersionInteroperabilityProxy feature to be turned on, --peer-advertise-ip requires UnknownVersionInteroperabilityProxy feature to be turned on, --peer-advertise-port requires UnknownVersionInteroperabilityProxy feature to be turned on]',
    ],
    [
      ['--strict-transport-security-directives=x'],
      '--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see https://tools.ietf.org/html/rfc6797#section-6.1 for more information',
    ],
    [['--secure-port=x'], '--secure-port: "x" is not an integer'],
    [['--secure-port=70000'], '--secure-port: 70000 is not a port'],
    [['--request-timeout=10'], '--request-timeout: "10" is not a duration such as 1m30s'],
    [['--request-timeout=-1s'], '--request-timeout can not be negative value'],
    [['--anonymous-auth=yes'], '--anonymous-auth: "yes" is neither true nor false'],
    [['--bind-address=localhost'], '--bind-address: "localhost" is not an IP address'],
    [['--feature-gates=etcd:A=true'], '--feature-gates: unknown component "etcd"'],
    [['--tls-cert-file=a'], '--tls-cert-file and --tls-private-key-file must be specified together'],
    [['--endpoint-reconciler-type=leases'], '--endpoint-reconciler-type: must be one of lease, master-count, none'],
    [['--apiserver-count=0'], '--apiserver-count: 0 is not a positive number'],
    [['--service-cluster-ip-range=10.0.0.0/30'], '--service-cluster-ip-range: "10.0.0.0/30" is not a range'],
    [['--no-such-flag'], "unknown option '--no-such-flag'"],
    [['--secure-prt=1'], "unknown option '--secure-prt=1'\n(Did you mean --secure-port?)"],
    [['-x'], "unknown option '-x'"],
    [['--cors-allowed-origins-x'], "unknown option '--cors-allowed-origins-x'"],
    [['--anonymous-auth', 'false'], 'too many arguments'],
  ])('%j', (args, message) => {
    expect(() => configOf(...args)).toThrow(message);
  });
});

describe('registered flags', () => {
  const registered = (...args: readonly string[]) =>
    addServeOptions(new Command('serve'), args).options.map(({ long }) => long);

  test('are those that are named, however they are written', () => {
    expect(registered()).toEqual(['--data-dir']);
    expect(registered('--secure-port=1', '--data-dir', 'x', '-v2')).toEqual(['--data-dir', '--secure-port', '--v']);
    expect(registered('-v', '2')).toEqual(['--data-dir', '--v']);
  });

  test.each([['--help'], ['-h'], ['help'], ['--secure-prt']])('are all with %s', (argument) => {
    expect(registered(argument).length).toBeGreaterThan(flagFacts.length - 10);
  });
});

describe('comma lists', () => {
  test('a quoted part may contain commas; repeats append', () => {
    const suites = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384'];
    expect(
      configOf(`--tls-cipher-suites="${suites[0]}"`, `--tls-cipher-suites=${suites[1]}`).serving.tlsCipherSuites,
    ).toEqual(suites);
  });

  // As Go's flags read them: also where the server refuses empty ones later.
  test.each([
    [',', ['', '']],
    ['a,', ['a', '']],
    [',a', ['', 'a']],
    ['a,,b', ['a', '', 'b']],
    ['"a,b",c', ['a,b', 'c']],
    ['"","x""y"', ['', 'x"y']],
    ['', []],
  ])('%j', (text, values) => {
    expect(configOf(`--cors-allowed-origins=${text}`).serving.corsAllowedOrigins).toEqual(values);
  });

  test.each(['"a', 'a"b', '"a"b', ',"'])('%j has a misplaced quote', (text) => {
    expect(() => configOf(`--cors-allowed-origins=${text}`)).toThrow('has a misplaced quote');
  });
});
