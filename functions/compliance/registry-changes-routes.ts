import * as z from 'zod/mini';
import { npn } from '../../shared/domain/identifiers/npn.ts';
import { recordKinds, registryChange } from '../../shared/domain/registry-records/registry-change.ts';
import { fields } from '../../shared/platform/contract/object.ts';
import { stateCode } from '../../shared/platform/contract/primitives.ts';
import type { Route } from '../../shared/platform/contract/route.ts';
import { queriedTime } from '../../shared/platform/contract/updated-since.ts';
import { recordedUntil } from '../../shared/platform/contract/updated-until.ts';

export const listRegistryChanges = {
  method: 'GET',
  path: '/v2/upstream/registry-changes',
  access: { kind: 'upstream', feature: 'compliance' },
  query: fields(() => ({
    recordedSince: queriedTime(),
    npn: z.optional(npn),
    stateCode: z.optional(stateCode),
    kind: z.optional(z.enum(recordKinds)),
  })),
  answer: { status: 200, all: registryChange },
  followed: recordedUntil,
} as const satisfies Route;
