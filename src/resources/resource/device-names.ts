import { invalidField, requiredField, tooLongField } from '../../api/errors/field-error.ts';
import { cIdentifierErrors, dnsLabelErrors, dnsSubdomainErrors, qualifiedNameErrors } from '../../api/meta/names.ts';
import { csiDriverName } from '../parts/pod-template/volume-sources.ts';
import { fullyQualifiedName, poolName as declaredPool } from '../parts/rules/declared-formats.ts';
import { caselessSubdomainErrors } from '../parts/rules/forms.ts';
import { type Errors, formErrors } from '../parts/rules/rules.ts';
import { late } from './late-errors.ts';

export const deviceName = (value: string | undefined, path: string): Errors =>
  formErrors(path, value ?? '', dnsLabelErrors(value ?? ''));

const maxDriverLength = 63;

export const driverName = (value: string | undefined, path: string): Errors => csiDriverName(value ?? '', path);

/** A driver name, where the rule is declarative. */
export function* declaredDriverName(value: string | undefined, path: string): Errors {
  const name = value ?? '';
  if (name === '') return yield* late([requiredField(path)]);
  yield* late(formErrors(path, name, caselessSubdomainErrors(name, 'bytes')));
  if ([...name].length > maxDriverLength) yield* late([tooLongField(path, maxDriverLength, 'character')]);
}

const maxPoolBytes = 253;

export function* poolName(value: string | undefined, path: string): Errors {
  const name = value ?? '';
  if (name === '') return yield requiredField(path);
  if (Buffer.byteLength(name) > maxPoolBytes) yield tooLongField(path, maxPoolBytes);
  for (const part of name.split('/')) yield* formErrors(path, part, dnsSubdomainErrors(part));
}

export function* declaredPoolName(value: string | undefined, path: string): Errors {
  const name = value ?? '';
  yield* late(name === '' ? [requiredField(path)] : declaredPool(name, path));
}

const maxIdentifierBytes = 32;

function* identifier(value: string, path: string): Errors {
  if (Buffer.byteLength(value) > maxIdentifierBytes) yield tooLongField(path, maxIdentifierBytes);
  yield* formErrors(path, value, cIdentifierErrors(value));
}

/** `name` or `domain/name` of an attribute or a capacity. */
export function* qualifiedDeviceName(name: string, path: string): Errors {
  const [first = '', second, ...more] = name.split('/');
  if (more.length > 0) return;
  if (second === undefined) return yield* identifier(first, path);
  if (first === '') yield invalidField(path, '', 'the domain must not be empty');
  else yield* driverName(first, path);
  if (second === '') yield invalidField(path, '', 'the name must not be empty');
  else yield* identifier(second, path);
}

/** `domain/name` in a constraint. */
export function declaredQualifiedName(name: string, path: string): Errors {
  return late(fullyQualifiedName(name, path));
}

/** `example.com/gpu`, as also used in quotas. */
export function* declaredExtendedName(name: string, path: string): Errors {
  if (!name.includes('/')) {
    const detail = "a name must be a domain-prefixed path, such as 'example.com/my-prop'";
    yield* late([invalidField(path, name, detail)]);
  } else if (name.includes('kubernetes.io/')) {
    yield* late([invalidField(path, name, 'must not have "kubernetes.io/" domain')]);
  }
  if (name.startsWith('requests.')) yield* late([invalidField(path, name, 'must not have "requests." prefix')]);
  yield* late(formErrors(path, name, qualifiedNameErrors(`requests.${name}`)));
}
