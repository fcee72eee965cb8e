import { goAddress } from '../../../api/json/go-value.ts';
import { isJsonObject, type JsonValue } from '../../../api/json/json.ts';
import { fromJson, type Value } from '../../../cel/values/value.ts';

/** A field of a struct of Go. */
export interface GoField {
  readonly name: string;
  /** Its name in JSON. */
  readonly key: string;
  /** How it is printed while it is empty. */
  readonly zero: string;
  /** How it is printed otherwise, if not by its value: a pointer within a struct is an address. */
  readonly shown?: (value: Value) => string;
}

const pointer = (type: string): Pick<GoField, 'zero' | 'shown'> => ({
  zero: `(*${type})(nil)`,
  shown: () => `(*${type})(${goAddress})`,
});
const text = { zero: '""' } as const;
const rawExtension = (object: string): string => `runtime.RawExtension{Raw:[]uint8(nil), Object:${object}}`;
const noObject = rawExtension('runtime.Object(nil)');

/** The options of a request are of the kind that they name. */
function optionsSyntax(value: Value): string {
  const options = fromJson(value as JsonValue); // a part of the request
  const kind = isJsonObject(options) && typeof options['kind'] === 'string' ? options['kind'] : '';
  return kind === '' ? noObject : rawExtension(`(*v1.${kind})(${goAddress})`);
}

/** The structs of requests, with all of their fields in the order of their declaration. */
export const goStructs: { readonly [type: string]: readonly GoField[] } = {
  'v1.AdmissionRequest': [
    { name: 'UID', key: 'uid', ...text },
    { name: 'Kind', key: 'kind', zero: 'v1.GroupVersionKind{Group:"", Version:"", Kind:""}' },
    { name: 'Resource', key: 'resource', zero: 'v1.GroupVersionResource{Group:"", Version:"", Resource:""}' },
    { name: 'SubResource', key: 'subResource', ...text },
    { name: 'RequestKind', key: 'requestKind', ...pointer('v1.GroupVersionKind') },
    { name: 'RequestResource', key: 'requestResource', ...pointer('v1.GroupVersionResource') },
    { name: 'RequestSubResource', key: 'requestSubResource', ...text },
    { name: 'Name', key: 'name', ...text },
    { name: 'Namespace', key: 'namespace', ...text },
    { name: 'Operation', key: 'operation', ...text },
    { name: 'UserInfo', key: 'userInfo', zero: 'v1.UserInfo{}' },
    { name: 'Object', key: 'object', zero: noObject, shown: () => noObject },
    { name: 'OldObject', key: 'oldObject', zero: noObject, shown: () => noObject },
    { name: 'DryRun', key: 'dryRun', ...pointer('bool') },
    { name: 'Options', key: 'options', zero: noObject, shown: optionsSyntax },
  ],
  'v1.GroupVersionKind': [
    { name: 'Group', key: 'group', ...text },
    { name: 'Version', key: 'version', ...text },
    { name: 'Kind', key: 'kind', ...text },
  ],
  'v1.GroupVersionResource': [
    { name: 'Group', key: 'group', ...text },
    { name: 'Version', key: 'version', ...text },
    { name: 'Resource', key: 'resource', ...text },
  ],
  'v1.UserInfo': [
    { name: 'Username', key: 'username', ...text },
    { name: 'UID', key: 'uid', ...text },
    { name: 'Groups', key: 'groups', zero: '[]string(nil)' },
    { name: 'Extra', key: 'extra', zero: 'map[string]v1.ExtraValue(nil)' },
  ],
};
