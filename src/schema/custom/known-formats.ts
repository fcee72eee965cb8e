import { getOwn } from '../../api/json/json.ts';
import { isTextFormat } from './text-formats.ts';

const numberFormats: { readonly [type: string]: readonly string[] } = {
  integer: ['int32', 'int64'],
  number: ['float', 'double'],
};

/** Whether values of a type are validated against a format; others, such as `int64` of a string, are ignored. */
export function isKnownFormat(type: string, format: string): boolean {
  if (type === '' || type === 'string') return isTextFormat(format);
  return getOwn(numberFormats, type)?.includes(format) === true;
}
