import { documented } from '#platform/contract/documented.ts';
import { carrier } from './catalog.ts';

documented(carrier, {
  id: 'Carrier',
  description: 'An insurer.',
  fields: {
    _id: 'Id of the carrier in this list; no other operation takes it.',
    name: ['Legal name of the insurer.', 'Beacon Specialty Insurance Company'],
    naicCode: 'NAIC company code, the `companyCode` of the insurer’s appointments.',
    groupName: ['Insurance group to which the insurer belongs.', 'Beacon Group'],
    domicileStateCode: 'State in which the insurer is domiciled.',
    status: {
      description: 'Whether the insurer is in business.',
      values: { active: 'The insurer writes policies.', inactive: 'The insurer no longer writes policies.' },
    },
  },
});
