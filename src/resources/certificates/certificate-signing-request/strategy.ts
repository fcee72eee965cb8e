import { cloneData } from '../../../api/json/json.ts';
import { keepNotes } from '../../../api/json/written-notes.ts';
import { nameRules } from '../../../api/meta/names.ts';
import type { KubernetesObject } from '../../../api/meta/object.ts';
import type { UpdateStrategy } from '../../../registry/kinds/strategy.ts';
import { formatSeconds } from '../../../registry/write/metadata.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from '../../../schema/kubernetes/generated/types/certificates-v1.ts';
import type { StrategyOf } from '../../define-kind.ts';
import type { KindEnvironment } from '../../kind-environment.ts';
import { allBut } from '../../parts/ownable-fields.ts';
import { durationCounts } from './duration-counts.ts';

/** What does not depend on the server: the spec is immutable; conditions are set through subresources. */
const strategy: StrategyOf<CertificateSigningRequest> = {
  nameRule: nameRules.any,
  selectableMetadata: 'name',
  selectableFields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
  prepareForCreate(request, { user }) {
    const extra = Object.fromEntries(Object.entries(user.extra).map(([key, values]) => [key, [...values]]));
    const { username: _username, uid: _uid, groups: _groups, extra: _extra, ...spec } = request.spec ?? {};
    request.spec = keepNotes(request.spec ?? {}, {
      ...spec,
      ...(user.name === '' ? {} : { username: user.name }),
      ...(user.uid === '' ? {} : { uid: user.uid }),
      ...(user.groups.length === 0 ? {} : { groups: [...user.groups] }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    });
  },
  prepareForUpdate(request, old) {
    request.spec = cloneData(old.spec ?? {});
  },
  ownableFields: {
    '': allBut('spec', 'status'),
    status: allBut('spec', 'status.conditions'),
    approval: allBut('spec', 'status.certificate'),
  },
  subresources: {
    approval: {
      prepareForUpdate(request, old, { nowMs }) {
        addTimes(request, old, formatSeconds(nowMs));
        const { conditions } = request.status ?? {};
        request.spec = cloneData(old.spec ?? {});
        const { conditions: _, ...status } = cloneData(old.status ?? {});
        request.status = conditions === undefined ? status : { ...status, conditions };
      },
    },
  },
};

export function signingRequestStrategy({ metric }: KindEnvironment): StrategyOf<CertificateSigningRequest> {
  const status: UpdateStrategy<KubernetesObject & CertificateSigningRequest> = {
    prepareForUpdate(request, old, { nowMs }) {
      for (const type of ['Approved', 'Denied']) keepConditions(request, old, type);
      addTimes(request, old, formatSeconds(nowMs));
    },
    afterUpdate: durationCounts(metric),
  };
  return { ...strategy, subresources: { ...strategy.subresources, status } };
}

type Conditions = CertificateSigningRequestCondition[];

/** Status updates cannot change approval conditions; validation reports added or missing ones. */
function keepConditions(
  request: CertificateSigningRequest,
  old: Readonly<CertificateSigningRequest>,
  type: string,
): void {
  const kept = (old.status?.conditions ?? []).filter((condition) => condition.type === type);
  const conditions: Conditions = request.status?.conditions ?? [];
  if (conditions.filter((condition) => condition.type === type).length !== kept.length) return;
  for (const [index, condition] of conditions.entries()) {
    if (condition.type === type) conditions[index] = cloneData(kept.shift() ?? condition);
  }
}

function addTimes(request: CertificateSigningRequest, old: Readonly<CertificateSigningRequest>, now: string): void {
  const identityOf = ({ type, status }: Conditions[number]): string => JSON.stringify([type, status]);
  const times = new Map<string, string>();
  for (const condition of (old.status?.conditions ?? []).toReversed()) {
    if (condition.lastTransitionTime !== undefined) times.set(identityOf(condition), condition.lastTransitionTime);
  }
  for (const condition of request.status?.conditions ?? []) {
    condition.lastUpdateTime ??= now;
    condition.lastTransitionTime ??= times.get(identityOf(condition)) ?? now;
  }
}
