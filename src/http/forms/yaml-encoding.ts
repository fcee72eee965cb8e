import { yamlSerializer } from '../../codec/yaml-serializer.ts';
import { applyMediaType } from '../../patch/apply-patch.ts';
import type { Encoding } from './encoding.ts';
import { yamlList } from './text-list.ts';

/** For people; does not support watches. */
export const yamlEncoding: Encoding = {
  serializer: yamlSerializer,
  applyType: applyMediaType,
  // Some forms write an empty list as null.
  list: (source) => (source.entries.length === 0 ? undefined : yamlList(source)),
};
