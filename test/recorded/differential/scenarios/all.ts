import type { Scenario } from '../scenario.ts';
import { admissionClasses } from './admission-classes.ts';
import { admissionLimits } from './admission-limits.ts';
import { applies } from './apply.ts';
import { applyBodies } from './apply-bodies.ts';
import { applyConversions } from './apply-conversions.ts';
import { applySubresources } from './apply-subresources.ts';
import { bodies } from './bodies.ts';
import { configMaps } from './config-maps.ts';
import { customResources } from './custom-resources.ts';
import { definitionNames, definitionVersions } from './definitions.ts';
import { deletions } from './deletions.ts';
import { emptyLists } from './empty-lists.ts';
import { everyKind } from './every-kind.ts';
import { lists } from './lists.ts';
import { managedFields } from './managed-fields.ts';
import { options } from './options.ts';
import { paths } from './paths.ts';
import { podPreparation } from './pod-preparation.ts';
import { podSecurity } from './pod-security.ts';
import { pods } from './pods.ts';
import { rules } from './rules.ts';
import { servicesScenario } from './services.ts';
import { workloads } from './workloads.ts';
import { systemObjects } from './system-objects.ts';
import { annotatedFields } from './annotated-fields.ts';
import { eventGroups } from './event-groups.ts';
import { timeZones } from './time-zones.ts';
import { resourceVersions } from './resource-versions.ts';
import { reviewsAndPrefixes } from './reviews-and-prefixes.ts';
import { namesAndScales } from './names-and-scales.ts';

/** In playing order. */
export const scenarios: readonly Scenario[] = [
  paths,
  pods,
  configMaps,
  bodies,
  options,
  lists,
  workloads,
  deletions,
  everyKind,
  admissionLimits,
  admissionClasses,
  podSecurity,
  podPreparation,
  applies,
  managedFields,
  applyBodies,
  applyConversions,
  applySubresources,
  emptyLists,
  customResources,
  definitionNames,
  definitionVersions,
  rules,
  servicesScenario,
  systemObjects,
  annotatedFields,
  eventGroups,
  timeZones,
  resourceVersions,
  namesAndScales,
  reviewsAndPrefixes,
];
