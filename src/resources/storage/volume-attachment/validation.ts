import { forbiddenField, requiredField, tooLongField } from '../../../api/errors/field-error.ts';
import type * as storage from '../../../schema/kubernetes/generated/types/storage-v1.ts';
import { volumeSpec } from '../../core/persistent-volume/validation.ts';
import { csiDriverName } from '../../parts/pod-template/volume-sources.ts';
import { caselessSubdomainErrors } from '../../parts/rules/forms.ts';
import { dnsSubdomain, type Errors, formErrors, sealedField } from '../../parts/rules/rules.ts';

export function* volumeAttachment({ spec = {} }: storage.VolumeAttachment): Errors {
  const { attacher = '' } = spec;
  // One rule counts bytes, and the declarative one characters; what both find is told by the latter.
  if (Buffer.byteLength(attacher) > 63 && [...attacher].length <= 63) yield tooLongField('spec.attacher', 63);
  yield* placement(spec);
  // Declarative validation comes last.
  yield* attacherErrors(attacher, 'spec.attacher');
}

function* placement({ source = {}, nodeName }: storage.VolumeAttachmentSpec): Errors {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  const path = 'spec.source';
  const exactlyOne = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  if (inline === undefined && name === undefined) yield requiredField(path, exactlyOne);
  else if (inline !== undefined && name !== undefined) yield forbiddenField(path, exactlyOne);
  else if (name === '')
    yield requiredField(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName');
  else if (inline !== undefined) yield* volumeSpec(inline, `${path}.inlineVolumeSpec`, { inline: true });
  yield* dnsSubdomain(nodeName, 'spec.nodeName');
  if (name !== undefined) yield* dnsSubdomain(name, `${path}.persistentVolumeName`);
}

function* attacherErrors(name: string, path: string): Errors {
  if (name === '') return yield requiredField(path);
  yield* formErrors(path, name, caselessSubdomainErrors(name, 'bytes'));
  if ([...name].length > 63) yield tooLongField(path, 63, 'character');
}

export function* volumeAttachmentUpdate(object: storage.VolumeAttachment, old: storage.VolumeAttachment): Errors {
  yield* csiDriverName(object.spec?.attacher, 'spec.attacher');
  yield* placement(object.spec ?? {});
  yield* sealedField(object.spec, old.spec, 'spec');
}
