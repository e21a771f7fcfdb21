import type { Break } from './schema-compatibility.ts';

/** Who reads the values: `the previous release` those that the present code writes, or the other way round. */
export type Reader = 'the previous release' | 'the present code';

interface AcknowledgedBreak extends Pick<Break, 'path'> {
  /** Of a schema or a key. */
  readonly name: string;
  readonly reader: Reader;
  /** Why nobody reads such a value: that nothing writes it before the next release, or that nothing has it any more. */
  readonly because: string;
}

/** Differences from the previous release that break nothing. Those that are no longer there have to be removed. */
export const acknowledgedBreaks: readonly AcknowledgedBreak[] = [];
