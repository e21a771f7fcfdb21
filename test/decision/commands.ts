import type {
  ActionRow,
  AppointmentRow,
  LicenseRow,
  LineRow,
  Unread,
} from '../../shared/domain/decision/facts.ts';

// What the registry and imports say of a holder, as the tests of the decision write it down.

interface CommandTimes {
  /** ISO time in UTC. */
  readonly at: string;
  /** When its rows were written, if later. */
  readonly recordedAt?: string;
  /** When a list was recorded as a whole, if later than its rows; null if it never was. */
  readonly closedAt?: string | null;
}

/** What only a row of an import says. */
export interface Given {
  readonly validFrom?: string;
  readonly isDeleted?: boolean;
}

/** An action of a state; null where an amendment says that it never was. */
export interface CaseAction {
  readonly stateCode: string;
  readonly actionId: string;
  readonly action: ActionRow | null;
}

type OfKind<Kind> = Unread & { readonly kind: Kind };

/** A row that could not be read, as far as it could be. */
export type CaseUnread = { readonly stateCode: string } & (
  | Pick<OfKind<'license'>, 'kind' | 'licenseNumber' | 'licenseClassCode' | 'licenseClassName' | 'isLive'>
  | Pick<OfKind<'appointment'>, 'kind' | 'companyCode' | 'ein' | 'carrierName'>
);

/** A sale of the party, without lines of authority; one without a day was taken back. */
export interface CaseSold {
  readonly stateCode: string;
  readonly transactionId: string;
  readonly day: string | null;
  readonly carrierNaicCode?: string;
}

interface Said {
  readonly sales?: readonly CaseSold[];
  readonly actions?: readonly CaseAction[];
  readonly unread?: readonly CaseUnread[];
}

/** A visit of the registry with its lists, each complete for all states; one that does not find the NPN; or lines of an import. */
export type CaseCommand = CommandTimes &
  (
    | ({
        readonly kind: 'list';
        readonly licenses?: readonly LicenseRow[];
        readonly appointments?: readonly AppointmentRow[];
      } & Said)
    | { readonly kind: 'not found' }
    | ({
        readonly kind: 'import';
        readonly licenses?: readonly (LicenseRow & Given)[];
        readonly appointments?: readonly (AppointmentRow & Given)[];
      } & Said)
  );

export type { ActionRow, AppointmentRow, LicenseRow, LineRow };
