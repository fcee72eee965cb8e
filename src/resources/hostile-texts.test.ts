import { describe, expect, it, test } from 'vitest';
import { cpuTimeRatio } from '../../test/cpu-time.ts';
import type { FieldError } from '../api/errors/field-error.ts';
import { keyPairError } from '../codec/x509/key-pair.ts';
import { authorities } from './apiextensions/custom-resource-definition/validation/conversion.ts';
import { fieldReference } from './parts/pod-template/environment.ts';
import { volumeSpec } from './core/persistent-volume/validation.ts';
import type { Errors } from './parts/rules/rules.ts';
import { iscsiName } from './parts/pod-template/volume-sources.ts';

const details = (errors: Errors): string[] =>
  [...errors].filter((error): error is FieldError => error !== undefined).map(({ detail }) => detail);

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const recycled = "may not be 'recycle' for a hostPath mount of '/'";

function hostPath(path: string): string[] {
  const spec = { hostPath: { path }, persistentVolumeReclaimPolicy: 'Recycle' };
  return details(volumeSpec(spec, 'spec', { inline: false })).filter((detail) => detail === recycled);
}

describe('hostile strings', () => {
  it.each([
    ['/', true],
    ['//./', true],
    ['/a/..', true],
    ['/a', false],
    ['', false],
    [`${'/'.repeat(60)}x`, false],
  ])('the host path %s is the root: %s', (path, isRoot) => {
    expect(hostPath(path)).toEqual(isRoot ? [recycled] : []);
  });

  it.each([
    ['iqn.2001-04.com.example:storage:disk', true],
    ['iqn:iqn.2001-04.com.example:disk', true],
    ['iqn;iqn.2001-04.com:x', true],
    ['iqn.2001-04.com::', true],
    ['iqn.2001-04.com:', false],
    ['iqn.2001-04.com.example', false],
    ['iqn.2001-04.:disk', false],
    ['iqn.2001-04.com/example:disk', false],
    ['iqn.2001-04.com:a b', false],
  ])('%s is a target name: %s', (name, isName) => {
    expect(details(iscsiName(name, 'iqn', ''))).toEqual(isName ? [] : ['must be valid format']);
  });

  it.each([
    [
      '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
      'failed to parse certificate: x509: malformed certificate',
    ],
    ['-----BEGIN A-----\nAAAA\n-----END A-----\n', 'no valid certificate authority data seen'],
    ['-----BEGIN A-----\nAAAA\n-----END A-----\nx', 'unable to parse bytes as PEM block'],
    ['x', 'unable to parse bytes as PEM block'],
  ])('authorities %j: %s', (text, why) => {
    expect(details(authorities(base64(text), 'caBundle'))).toEqual([`unable to load root certificates: ${why}`]);
  });
});

test.each<readonly [string, (text: string) => unknown, string]>([
  ['host path of slashes', hostPath, '/'],
  ['host path of steps back', hostPath, '/a/..'],
  ['target', (text) => details(iscsiName(`iqn${text}`, 'iqn', '')), 'iqn.2001-04.a'],
  ['target of colons', (text) => details(iscsiName(`iqn${text}`, 'iqn', '')), ':'],
  ['bundle', (text) => details(authorities(base64(text), 'caBundle')), '-----BEGIN CERTIFICATE-----\n'],
  ['certificate', (text) => keyPairError(text, text), '-----BEGIN A-----\n\n'],
  ['subscript', (text) => details(fieldReference([])({ apiVersion: 'v1', fieldPath: `a${text}` }, 'f')), "['"],
])('a long %s takes little time', (_, check, pump) => {
  const text = `${pump.repeat(500_000 / pump.length)}x`;
  expect(cpuTimeRatio(() => check(text), 300)).toBeLessThan(1);
});
