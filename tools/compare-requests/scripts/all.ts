import type { Script } from '../script.ts';
import { applyNulls } from './apply-nulls.ts';
import { apiVersions } from './api-versions.ts';
import { base64 } from './base64.ts';
import { celDefinitions } from './cel-definitions.ts';
import { celEdges } from './cel-edges.ts';
import { celPolicies } from './cel-policies.ts';
import { clientSideMigration } from './client-side-migration.ts';
import { columns } from './columns.ts';
import { costLimits } from './cost-limits.ts';
import { customProtobuf } from './custom-protobuf.ts';
import { definitionVersions } from './definition-versions.ts';
import { deleteResponses } from './delete-answers.ts';
import { deleteOptions } from './delete-options.ts';
import { dryRuns } from './dry-runs.ts';
import { embeddedMetadata } from './embedded-metadata.ts';
import { emptyValues } from './empty-values.ts';
import { eventsScript } from './events.ts';
import { impersonation } from './impersonation.ts';
import { integers } from './integers.ts';
import { knownToStorage } from './known-to-storage.ts';
import { listKeys } from './list-keys.ts';
import { listsToMaps } from './lists-to-maps.ts';
import { liveRules } from './live-rules.ts';
import { managedFieldsReset } from './managed-fields-reset.ts';
import { metadataErrors } from './metadata-errors.ts';
import { metadataStatus } from './metadata-status.ts';
import { microseconds } from './microseconds.ts';
import { mutatedVersions } from './mutated-versions.ts';
import { toolCorners } from './tool-corners.ts';
import { mutatingPolicies } from './mutating-policies.ts';
import { mutationLiterals } from './mutation-literals.ts';
import { mutationValues } from './mutation-values.ts';
import { namesAndDomains } from './names-and-domains.ts';
import { negativeZeros } from './negative-zeros.ts';
import { oddFields } from './odd-fields.ts';
import { oddWrites } from './odd-writes.ts';
import { openapiEtags } from './openapi-etags.ts';
import { paramNotFound } from './param-not-found.ts';
import { patchStatuses } from './patch-statuses.ts';
import { pruningWarnings } from './pruning-warnings.ts';
import { putCreates } from './put-creates.ts';
import { quantities } from './quantities.ts';
import { deletionStories } from './reports/deletion-stories.ts';
import { nameConflicts } from './reports/name-conflicts.ts';
import { ratcheting } from './reports/ratcheting.ts';
import { statusOwners } from './reports/status-owners.ts';
import { yamlBodies } from './reports/yaml-bodies.ts';
import { fieldValidation } from './reports/field-validation.ts';
import { pagesOfLists } from './reports/pages-of-lists.ts';
import { autoscalers } from './reports/autoscalers.ts';
import { serviceStories } from './reports/service-stories.ts';
import { rolesOfOthers } from './reports/roles-of-others.ts';
import { bytesOfAllForms } from './bytes-of-all-forms.ts';
import { eventSelectors } from './event-selectors.ts';
import { jsonPaths } from './json-paths.ts';
import { microTimes } from './micro-times.ts';
import { openapiDocuments } from './openapi-documents.ts';
import { protobufBodies } from './protobuf-bodies.ts';
import { tokenSpecs } from './token-specs.ts';
import { refusalOrder } from './refusal-order.ts';
import { repeatedApplies } from './repeated-applies.ts';
import { resourceVersions } from './resource-versions.ts';
import { roleBindings } from './role-bindings.ts';
import { scaleScript } from './scale.ts';
import { scaledKinds } from './scaled-kinds.ts';
import { selectableFields } from './selectable-fields.ts';
import { selectorWatches } from './selector-watches.ts';
import { servicePorts } from './service-ports.ts';
import { slicesAndNodes } from './slices-and-nodes.ts';
import { storedVersions } from './stored-versions.ts';
import { strategicDirectives } from './strategic-directives.ts';
import { streamedLists } from './streamed-lists.ts';
import { structuralSchemas } from './structural-schemas.ts';
import { tableTimes } from './table-times.ts';
import { terminatingDefinitions } from './terminating-definitions.ts';
import { timesBeyond } from './times-beyond.ts';
import { tokenRequests } from './token-requests.ts';
import { versionReads } from './version-reads.ts';
import { zeroSigns } from './zero-signs.ts';
import { wipedFields } from './wiped-fields.ts';

export const scripts: readonly Script[] = [
  apiVersions,
  applyNulls,
  base64,
  celDefinitions,
  celEdges,
  celPolicies,
  clientSideMigration,
  columns,
  costLimits,
  customProtobuf,
  definitionVersions,
  deleteResponses,
  deleteOptions,
  dryRuns,
  embeddedMetadata,
  emptyValues,
  eventsScript,
  impersonation,
  integers,
  knownToStorage,
  listKeys,
  listsToMaps,
  liveRules,
  managedFieldsReset,
  metadataErrors,
  metadataStatus,
  microseconds,
  mutatingPolicies,
  mutationLiterals,
  mutationValues,
  namesAndDomains,
  negativeZeros,
  oddFields,
  oddWrites,
  openapiEtags,
  paramNotFound,
  patchStatuses,
  pruningWarnings,
  putCreates,
  quantities,
  bytesOfAllForms,
  eventSelectors,
  jsonPaths,
  microTimes,
  openapiDocuments,
  protobufBodies,
  tokenSpecs,
  refusalOrder,
  repeatedApplies,
  resourceVersions,
  roleBindings,
  scaleScript,
  scaledKinds,
  selectableFields,
  selectorWatches,
  servicePorts,
  slicesAndNodes,
  storedVersions,
  strategicDirectives,
  streamedLists,
  structuralSchemas,
  tableTimes,
  terminatingDefinitions,
  timesBeyond,
  tokenRequests,
  ...versionReads,
  wipedFields,
  zeroSigns,
  autoscalers,
  serviceStories,
  rolesOfOthers,
  yamlBodies,
  fieldValidation,
  pagesOfLists,
  deletionStories,
  nameConflicts,
  ratcheting,
  statusOwners,
  mutatedVersions,
  toolCorners,
];
