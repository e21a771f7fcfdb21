import * as z from 'zod/mini';
import { object } from '../../platform/contract/object.ts';
import { storedItem } from '../../platform/data/stored.ts';
import type { CalendarDate } from '../../platform/dates/dates.ts';
import { type DaysInForce, isInForceOn } from '../decision/held.ts';
import { appointment, license } from '../registry/resources.ts';

// Licenses and appointments as items of lists over all holders: each once, by the row that said what it was on the day of the write,
// with the days by which it is told of each day whether it is in force (`Held`). Apart from what writes them, which lists do not need.

const inForce = z.array(object(() => ({ from: z.string(), until: z.nullable(z.string()) })));

export const listedLicense = storedItem(
  'registry-records/listed-license',
  object(() => ({ ...license.shape, inForce })),
);

export const listedAppointment = storedItem(
  'registry-records/listed-appointment',
  object(() => ({ ...appointment.shape, inForce })),
);

/** The resource on a day. */
export const shownOn = <Row>(
  { inForce: days, ...row }: Row & { readonly inForce: readonly DaysInForce[] },
  day: CalendarDate,
) => ({ ...row, isInForce: isInForceOn(days, day) });
