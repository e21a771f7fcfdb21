import * as fc from 'fast-check';

/** One step of a random run; the numbers choose among organizations, agencies, and records. */
export type Step =
  | { readonly what: 'move'; readonly agency: number; readonly to: number }
  | {
      readonly what: 'together';
      readonly agency: number;
      readonly to: number;
      readonly writes: readonly Write[];
    }
  | Write;

export interface Write {
  readonly what: (typeof writes)[number];
  readonly organization: number;
  readonly agency: number;
  readonly record: number;
}

const writes = [
  'import filing',
  'import association',
  'import market',
  'import registration',
  'reply',
  'attach',
  'set document',
  'upload',
  'request license',
  'cancel',
  'add contact',
] as const;

export const agencies = 3;
export const organizations = 3;
/** One more than there are: an agency without an organization. */
export const nowhere = organizations;

const agencyOf = fc.nat(agencies - 1);
const write: fc.Arbitrary<Write> = fc.record({
  what: fc.constantFrom(...writes),
  organization: fc.nat(organizations - 1),
  agency: agencyOf,
  record: fc.nat(5),
});
const target = { agency: agencyOf, to: fc.nat(nowhere) };

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ what: fc.constant('move' as const), ...target }) },
    {
      weight: 2,
      arbitrary: fc.record({
        what: fc.constant('together' as const),
        ...target,
        writes: fc.array(write, { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 8, arbitrary: write },
  ),
  { minLength: 8, maxLength: 14 },
);
