import * as z from 'zod/mini';
import { describedShape } from '../../platform/contract/described.ts';
import { lazily } from '../../platform/contract/lazily.ts';

const name = z.string();

/** A producer's names, as the records of producers and their events show them. */
export const producerNames = lazily(() =>
  describedShape(
    { firstName: name, middleName: z.nullable(name), lastName: name },
    DOCUMENTED && {
      firstName: { description: 'Given name of the producer.', examples: ['Maria'] },
      middleName: { description: 'Middle name or initial; null if none is recorded.', examples: ['T.'] },
      lastName: { description: 'Family name of the producer.', examples: ['Delgado'] },
    },
  ),
);
