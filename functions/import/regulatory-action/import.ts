import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import { noChange } from '../../../shared/domain/registry-records/holder-writes.ts';
import { regulatoryAction } from '../../../shared/domain/registry-records/regulatory-action.ts';
import { registryKeys, regulatoryActionIdOf } from '../../../shared/domain/registry-records/stored.ts';
import type { ActionToRecord } from '../../../shared/domain/registry-records/stored-facts.ts';
import { parseIfStored } from '../../../shared/platform/data/stored.ts';
import type { ImportDependencies, ImportType } from '../import-type.ts';
import { registryRecordImport } from '../registry-records.ts';
import { regulatoryActionRecord } from './schema.ts';

type Line = z.output<typeof regulatoryActionRecord>;

/** Regulatory actions of organizations of either kind; the daily reconciliation alone emits events of them. */
export const regulatoryActionImport = (dependencies: ImportDependencies<'registryRecords'>): ImportType =>
  registryRecordImport(dependencies, {
    type: 'regulatory-action',
    record: regulatoryActionRecord,
    isJudged: false,
    changeOf({ owner, lines, registryDataSubscriptionId, command, at }, { items }) {
      // Of several lines of one action the last one counts.
      const last = new Map(lines.map((line) => [registryKeys.action(owner, line).sk, line]));
      const actions = Array.from(last).flatMap(([sk, line]): ActionToRecord[] => {
        const { type: _type, upstreamEntityId: _owner, isDeleted, ...own } = line;
        const { stateCode, actionId } = own;
        const known = parseIfStored(regulatoryAction, items.get(sk));
        const fact = { stateCode, actionId, ...command };
        if (isDeleted === true) return known === undefined ? [] : [{ what: 'retracted', ...fact }];
        const action = {
          ...own,
          _id: own._id ?? known?._id ?? regulatoryActionIdOf(owner, own),
          registryDataSubscriptionId,
          createdAt: own.createdAt ?? known?.createdAt ?? at,
          updatedAt: own.updatedAt ?? at,
        };
        const updatedAt = own.updatedAt ?? known?.updatedAt;
        return isDeepStrictEqual({ ...action, updatedAt }, known)
          ? []
          : [{ what: 'stated', action, ...fact }];
      });
      return { ...noChange, actions };
    },
    idOf: (owner: string, line: Line, items) =>
      parseIfStored(regulatoryAction, items.get(registryKeys.action(owner, line).sk))?._id ??
      line._id ??
      regulatoryActionIdOf(owner, line),
  });
